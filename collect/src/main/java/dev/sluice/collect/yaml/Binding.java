package dev.sluice.collect.yaml;

import dev.sluice.collect.connector.Connector;
import dev.sluice.collect.connector.ListStream;
import dev.sluice.collect.connector.Provider;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.auth.AuthRule;
import dev.sluice.collect.yaml.auth.Credential;
import dev.sluice.collect.yaml.pacing.PacingRule;
import dev.sluice.collect.yaml.request.RequestForm;
import dev.sluice.collect.yaml.request.Revalidation;
import dev.sluice.collect.yaml.stream.DeclaredList;
import dev.sluice.collect.yaml.stream.StreamRule;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.config.ConfigurationException;
import dev.sluice.config.Reading;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes a connector of a file and a configuration. Used once. */
final class Binding {
  private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

  private final String name;
  private final ProviderRule rule;
  private final PacingRule pacing;
  private final List<StreamRule> streams;
  private final Names names;
  private final Reading reading;

  Binding(
      String name,
      ProviderRule rule,
      PacingRule pacing,
      List<StreamRule> streams,
      Names names,
      Reading reading) {
    this.name = name;
    this.rule = rule;
    this.pacing = pacing;
    this.streams = streams;
    this.names = names;
    this.reading = reading;
  }

  Connector connector(Transport transport, Time time) throws ConfigurationException {
    try {
      URI base = base();
      reading.check();
      Credential credential = rule.auth().bind(names, transport, time);
      RequestForm form =
          new RequestForm(
              base,
              Template.parse("/"),
              Map.of(),
              rule.headers(),
              Optional.empty(),
              rule.timeout(),
              rule.auth().queryParameter());
      Optional<Revalidation> revalidation = rule.revalidate().map(Revalidation::new);
      List<ListStream> lists = new ArrayList<>();
      for (StreamRule stream : streams) {
        if (stream.parent().isEmpty()) {
          lists.add(new DeclaredList(stream, details(stream), form, names, revalidation));
        }
      }
      Provider provider =
          new Provider(
              lane(base, credential), pacing::lane, pacing.signals(), credential.authorization());
      return new DeclaredConnector(name, provider, lists);
    } catch (ProviderException e) {
      throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
    }
  }

  private List<StreamRule> details(StreamRule list) {
    return streams.stream()
        .filter(stream -> stream.parent().equals(Optional.of(list.name())))
        .toList();
  }

  private String lane(URI base, Credential credential) throws ProviderException {
    String shared = rule.lane().isPresent() ? rule.lane().get().render(names) : base.getHost();
    return credential.fingerprint().isEmpty() ? shared : shared + " " + credential.fingerprint();
  }

  /** The address, in which nothing that was configured may lead to another host. */
  private URI base() throws ProviderException {
    String text =
        rule.base()
            .render(
                names,
                value -> {
                  if (!value.matches("[A-Za-z0-9._~-]+")) {
                    reading.mistake(
                        rule.line(),
                        "provider.base has '%s' filled in, but only letters, digits and . _ ~ - can stand in an address"
                            .formatted(value));
                    return "";
                  }
                  return value;
                });
    try {
      URI base = new URI(text);
      boolean plain = "http".equals(base.getScheme());
      if (base.getHost() == null
          || !(plain || "https".equals(base.getScheme()))
          || base.getRawQuery() != null
          || base.getRawFragment() != null
          || base.getRawUserInfo() != null) {
        reading.mistake(rule.line(), wrong(text));
      } else if (plain
          && !(rule.auth() instanceof AuthRule.Nobody)
          && !LOOPBACK.contains(base.getHost())) {
        reading.mistake(
            rule.line(),
            "provider.base begins with http, so everybody on the way can read the credential; write"
                + " https");
      }
      return base;
    } catch (URISyntaxException e) {
      reading.mistake(rule.line(), wrong(text));
      return URI.create("https://unknown.invalid");
    }
  }

  private static String wrong(String text) {
    return "provider.base is '%s', but an address such as https://api.shop.example/v2 is expected"
        .formatted(text);
  }

  /** What was bound. */
  private record DeclaredConnector(String name, Provider provider, List<ListStream> streams)
      implements Connector {
    DeclaredConnector {
      streams = List.copyOf(streams);
    }

    @Override
    public String toString() {
      return "connector " + name;
    }
  }
}
