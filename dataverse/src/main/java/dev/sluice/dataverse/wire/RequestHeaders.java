package dev.sluice.dataverse.wire;

import dev.sluice.gate.wire.WebRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Headers that every request to an environment carries because somebody configured them. Immutable;
 * prints names and no value, because a value may be a secret.
 *
 * @param values by name; the case of a name does not count
 */
public record RequestHeaders(Map<String, String> values) {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  /** None. */
  public static final RequestHeaders NONE = new RequestHeaders(Map.of());

  public RequestHeaders {
    Map<String, String> checked = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    values.forEach(
        (name, value) -> {
          String wrong = wrong(name, value);
          if (wrong.isEmpty() && checked.put(name, value) != null) {
            wrong = "is given twice, in another case, but must be given once";
          }
          if (!wrong.isEmpty()) {
            throw new IllegalArgumentException("headers.%s %s".formatted(printable(name), wrong));
          }
        });
    values = Collections.unmodifiableMap(checked);
  }

  /** What is wrong with a header, whose value is not quoted; empty if nothing is. */
  public static String wrong(String name, String value) {
    String wrong = wrongName(name);
    if (!wrong.isEmpty()) {
      return wrong;
    }
    if (value.isBlank()) {
      return "is empty, but must have a value";
    }
    return WebRequest.isHeaderValue(value)
        ? ""
        : "has control characters or others that no header carries; it takes letters, digits, signs"
            + " and spaces of ASCII alone";
  }

  /** What is wrong with a name; empty if nothing is. */
  public static String wrongName(String name) {
    if (!WebRequest.isHeaderName(name)) {
      return "is no name of a header, which has letters, digits and - alone";
    }
    String reason = notForConfigurations(name.toLowerCase(Locale.ROOT));
    return reason.isEmpty() ? "" : "must not be set: " + reason;
  }

  /** A name as messages can show it. */
  public static String printable(String name) {
    return CONTROL.matcher(name).replaceAll("?");
  }

  private static String notForConfigurations(String name) {
    return switch (name) {
      case "authorization" -> "the identity signs requests with its token";
      case "cookie" -> "pinned is for that";
      case "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-authorization",
          "proxy-connection",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade" ->
          "the connection sets it";
      case "accept",
          "accept-encoding",
          "content-encoding",
          "content-type",
          "if-match",
          "if-modified-since",
          "if-none-match",
          "if-unmodified-since",
          "odata-maxversion",
          "odata-version",
          "prefer",
          "range",
          "x-http-method-override",
          "x-ms-client-request-id" ->
          "each request sets its own";
      case "callerobjectid", "mscrmcallerid" -> "caller is for that";
      case "mscrm.suppressduplicatedetection" -> "--duplicate-detection is for that";
      case "mscrm.suppresscallbackregistrationexpanderjob" -> "bypass is for that";
      default -> name.startsWith("mscrm.bypass") ? "bypass is for that" : "";
    };
  }

  /** All of them, names and values in turn. */
  public List<String> all() {
    List<String> headers = new ArrayList<>(2 * values.size());
    values.forEach((name, value) -> headers.addAll(List.of(name, value)));
    return headers;
  }

  /**
   * Those that each part of a batch repeats, names and values in turn: what the service does with a
   * record, it reads there and not in the headers of the whole.
   */
  public List<String> ofParts() {
    List<String> headers = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          if (name.toLowerCase(Locale.ROOT).startsWith("mscrm.")) {
            headers.addAll(List.of(name, value));
          }
        });
    return headers;
  }

  @Override
  public String toString() {
    return "headers " + values.keySet();
  }
}
