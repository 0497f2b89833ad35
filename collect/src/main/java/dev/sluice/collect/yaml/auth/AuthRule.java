package dev.sluice.collect.yaml.auth;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.collect.connector.Authorization;
import dev.sluice.collect.connector.ProviderException;
import dev.sluice.collect.yaml.text.Names;
import dev.sluice.collect.yaml.text.Template;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.PercentEncoding;
import dev.sluice.gate.wire.Transport;
import java.net.URI;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How a connector file says that a provider wants to know who asks. Immutable. */
public sealed interface AuthRule {

  /**
   * The proof for what was configured.
   *
   * @param transport to whoever issues tokens
   */
  Credential bind(Names names, Transport transport, Time time) throws ProviderException;

  /** The query parameter that proves who asks; empty if none does. */
  default String queryParameter() {
    return "";
  }

  /** Anybody may ask. */
  record Nobody() implements AuthRule {
    @Override
    public Credential bind(Names names, Transport transport, Time time) {
      return Credential.NONE;
    }
  }

  /** {@code Authorization: Bearer}. */
  record Bearer(Template token) implements AuthRule {
    @Override
    public Credential bind(Names names, Transport transport, Time time) throws ProviderException {
      String value = token.render(names);
      return Credential.of(HeaderProof.of("Authorization", "Bearer " + value), value);
    }
  }

  /** {@code Authorization: Basic}. */
  record Basic(Template user, Template password) implements AuthRule {
    @Override
    public Credential bind(Names names, Transport transport, Time time) throws ProviderException {
      String pair = user.render(names) + ":" + password.render(names);
      String encoded = Base64.getEncoder().encodeToString(pair.getBytes(UTF_8));
      return Credential.of(HeaderProof.of("Authorization", "Basic " + encoded), pair);
    }
  }

  /** A header of the provider's own. */
  record Header(String name, Template value) implements AuthRule {
    @Override
    public Credential bind(Names names, Transport transport, Time time) throws ProviderException {
      String text = value.render(names);
      return Credential.of(HeaderProof.of(name, text), text);
    }
  }

  /** A query parameter. */
  record Query(String name, Template value) implements AuthRule {
    @Override
    public Credential bind(Names names, Transport transport, Time time) throws ProviderException {
      String text = value.render(names);
      return Credential.of(new QueryProof(name, text), text);
    }

    @Override
    public String queryParameter() {
      return name;
    }
  }

  /**
   * A token that somebody else issues (OAuth 2.0).
   *
   * @param fields what is sent for one, besides the grant
   */
  record OAuth(String grant, Template address, Map<String, Template> fields) implements AuthRule {
    public OAuth {
      fields = Map.copyOf(fields);
    }

    @Override
    public Credential bind(Names names, Transport transport, Time time) throws ProviderException {
      Map<String, String> form = new TreeMap<>();
      for (Map.Entry<String, Template> field : fields.entrySet()) {
        form.put(field.getKey(), field.getValue().render(names));
      }
      form.put("grant_type", grant);
      URI target = URI.create(address.render(names, PercentEncoding::encode));
      return Credential.of(
          new TokenProof(target, form, transport, time), form.values().toArray(new String[0]));
    }
  }

  /** Several bearer tokens that take turns. */
  record Pool(List<Template> tokens) implements AuthRule {
    public Pool {
      tokens = List.copyOf(tokens);
    }

    @Override
    public Credential bind(Names names, Transport transport, Time time) throws ProviderException {
      List<Authorization> proofs = new ArrayList<>();
      List<String> secrets = new ArrayList<>();
      for (Template token : tokens) {
        String value = token.render(names);
        secrets.add(value);
        proofs.add(HeaderProof.of("Authorization", "Bearer " + value));
      }
      return Credential.of(new PooledProof(proofs), secrets.toArray(new String[0]));
    }
  }
}
