package dev.sluice.collect.yaml.request;

import static java.util.Objects.requireNonNull;

import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.gate.wire.PercentEncoding;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.run.Reason;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a stream is asked for. Immutable.
 *
 * @param base where the provider is; its path comes before every other
 * @param path of the stream, with what is filled in encoded as one segment each
 * @param body the JSON that a POST carries; empty for a GET
 * @param hidden the query parameter that proves who asks; taken out of addresses that the provider
 *     gives, so that no bookmark holds it. Empty for none
 */
public record RequestForm(
    URI base,
    Template path,
    Map<String, Template> query,
    Map<String, Template> headers,
    Optional<BodyForm> body,
    Duration timeout,
    String hidden) {
  private static final byte[] NO_BODY = {};

  public RequestForm {
    requireNonNull(base, "base");
    requireNonNull(path, "path");
    requireNonNull(body, "body");
    requireNonNull(timeout, "timeout");
    requireNonNull(hidden, "hidden");
  }

  /**
   * Checks the headers in which nothing but configured values is filled in.
   *
   * @throws ProviderException if one of them cannot be sent; does not quote it
   */
  public void checkHeaders(Names names) throws ProviderException {
    for (Map.Entry<String, Template> each : headers.entrySet()) {
      if (each.getValue().references().stream()
          .allMatch(reference -> reference.scope() == Template.Scope.CONFIG)) {
        requireSendable(each.getKey(), each.getValue().render(names));
      }
    }
  }

  private static void requireSendable(String name, String value) throws ProviderException {
    if (!HeaderFields.isValue(value)) {
      throw new ProviderException(
          Reason.Failure.INVALID,
          ProviderException.NO_STATUS,
          "what is filled in for headers.%s has characters that no header can carry; %s can stand there"
              .formatted(name, HeaderFields.ALLOWED));
    }
  }

  /** The request for a page, with these values set besides. */
  public WebRequest asking(Names names, Map<Spot, String> asked) throws ProviderException {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (Map.Entry<String, Template> each : query.entrySet()) {
      parameters.put(each.getKey(), each.getValue().render(names));
    }
    asked.forEach(
        (spot, value) -> {
          if (spot.kind() == Spot.Kind.QUERY) {
            parameters.put(spot.name(), value);
          }
        });
    List<String> pairs = new ArrayList<>();
    parameters.forEach(
        (name, value) ->
            pairs.add(PercentEncoding.encode(name) + "=" + PercentEncoding.encode(value)));
    String root = base.toString();
    String address =
        (root.endsWith("/") ? root.substring(0, root.length() - 1) : root)
            + path.render(names, PercentEncoding::encode);
    return request(
        URI.create(address + (pairs.isEmpty() ? "" : "?" + String.join("&", pairs))), names, asked);
  }

  /** The request for the page after one. */
  public WebRequest following(Page page, Next next, Names names, Map<Spot, String> asked)
      throws ProviderException {
    return switch (next) {
      case Next.Link link -> following(page.uri(), link.address(), names, asked);
      case Next.Asked more -> {
        Map<Spot, String> both = new LinkedHashMap<>(asked);
        both.putAll(more.values());
        yield asking(names, both);
      }
    };
  }

  /**
   * The request for an address that the provider gave.
   *
   * @param asked what the walk was asked for with; only a body has it again, since addresses have
   *     everything that they need
   * @throws ProviderException if it leads to somebody else: proof of who asks would go there, too
   */
  public WebRequest following(URI from, String address, Names names, Map<Spot, String> asked)
      throws ProviderException {
    URI target;
    try {
      target = from.resolve(new URI(address));
    } catch (URISyntaxException e) {
      throw ProviderException.unexpected("the address of the next page is none");
    }
    if (!origin(target).equals(origin(base))) {
      throw ProviderException.unexpected(
          "the next page is at %s, but only %s is trusted with the credential"
              .formatted(target.getHost(), base.getHost()));
    }
    Map<Spot, String> again = new LinkedHashMap<>(asked);
    again.keySet().removeIf(spot -> spot.kind() != Spot.Kind.BODY);
    return request(without(target, hidden), names, again);
  }

  private WebRequest request(URI uri, Names names, Map<Spot, String> asked)
      throws ProviderException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("Accept", "application/json");
    if (body.isPresent()) {
      fields.put("Content-Type", "application/json");
    }
    for (Map.Entry<String, Template> each : headers.entrySet()) {
      fields.keySet().removeIf(each.getKey()::equalsIgnoreCase);
      fields.put(each.getKey(), each.getValue().render(names));
    }
    asked.forEach(
        (spot, value) -> {
          if (spot.kind() == Spot.Kind.HEADER) {
            fields.put(spot.name(), value);
          }
        });
    List<String> flat = new ArrayList<>();
    for (Map.Entry<String, String> field : fields.entrySet()) {
      requireSendable(field.getKey(), field.getValue());
      flat.add(field.getKey());
      flat.add(field.getValue());
    }
    return body.isPresent()
        ? new WebRequest("POST", uri, flat, body.get().written(names, asked), timeout)
        : new WebRequest("GET", uri, flat, NO_BODY, timeout);
  }

  /** An address without one of its query parameters; the same if the name is empty. */
  public static URI without(URI uri, String parameter) {
    String query = uri.getRawQuery();
    if (parameter.isEmpty() || query == null) {
      return uri;
    }
    List<String> kept = new ArrayList<>();
    for (String pair : query.split("&", -1)) {
      if (!pair.equals(parameter) && !pair.startsWith(PercentEncoding.encode(parameter) + "=")) {
        kept.add(pair);
      }
    }
    String text = uri.toString();
    String plain = text.substring(0, text.indexOf('?'));
    return URI.create(kept.isEmpty() ? plain : plain + "?" + String.join("&", kept));
  }

  private static String origin(URI uri) {
    int port = uri.getPort();
    boolean usual = port < 0 || port == ("https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80);
    return "%s://%s:%s"
        .formatted(uri.getScheme(), uri.getHost(), usual ? "" : port)
        .toLowerCase(java.util.Locale.ROOT);
  }
}
