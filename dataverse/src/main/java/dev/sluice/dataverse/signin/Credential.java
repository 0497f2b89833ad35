package dev.sluice.dataverse.signin;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.wire.WebRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Map;

/** What an identity signs in with. Immutable; prints no secret. Tenants are ids or domain names. */
public sealed interface Credential {

  /** The tenant that knows the application. */
  String tenant();

  /** The application's id. */
  String clientId();

  /**
   * An application with a secret.
   *
   * @param secret its value, which is not its id
   */
  record ClientSecret(String tenant, String clientId, String secret) implements Credential {
    public ClientSecret {
      check("tenant", tenant, "the directory that knows the application");
      check("clientId", clientId, "the application's id");
      check("secret", secret, "the value of the application's secret");
    }

    @Override
    public String toString() {
      return "client secret of application " + clientId;
    }
  }

  /**
   * An application with a certificate that its registration knows. Read one with {@link
   * CertificateFiles}.
   *
   * @param key the certificate's private key, RSA
   * @param signing how assertions are signed
   */
  record Certificate(
      String tenant, String clientId, PrivateKey key, X509Certificate certificate, Signing signing)
      implements Credential {
    public Certificate {
      check("tenant", tenant, "the directory that knows the application");
      check("clientId", clientId, "the application's id");
      requireNonNull(certificate, "certificate");
      requireNonNull(signing, "signing");
      if (!key.getAlgorithm().startsWith("RSA")) {
        throw new IllegalArgumentException(
            "the certificate's key is of type %s, but must be RSA (what the sign-in service takes)"
                .formatted(key.getAlgorithm()));
      }
    }

    /** Signed as the public cloud wants it today. */
    public Certificate(
        String tenant, String clientId, PrivateKey key, X509Certificate certificate) {
      this(tenant, clientId, key, certificate, Signing.PS256);
    }

    @Override
    public String toString() {
      return "certificate of application " + clientId;
    }
  }

  /** How an assertion is signed. */
  enum Signing {
    /** RSA with PKCS #1 padding and a SHA-1 thumbprint: for older places to sign in. */
    RS256,
    /** RSA-PSS with a SHA-256 thumbprint. */
    PS256
  }

  /** A person who signs in on some device with a browser, through a public application. */
  record DeviceCode(String tenant, String clientId) implements Credential {
    public DeviceCode {
      check("tenant", tenant, "the directory of whoever signs in, or 'organizations'");
      check("clientId", clientId, "the application's id");
    }
  }

  /**
   * An identity that Azure gives to a machine, an app or a container, and that needs no secret. Its
   * token comes from an endpoint on that machine.
   *
   * @param clientId of a user-assigned identity; empty for the system-assigned one
   * @param endpoint where its tokens are
   * @param identityHeader what that endpoint wants to be told, a secret; empty on a virtual
   *     machine, whose endpoint wants none
   */
  record ManagedIdentity(String clientId, URI endpoint, String identityHeader)
      implements Credential {
    /** The metadata service of a virtual machine: at this address, and on that machine only. */
    public static final URI VIRTUAL_MACHINE =
        URI.create("http://169.254.169.254/metadata/identity/oauth2/token");

    public ManagedIdentity {
      requireNonNull(clientId, "clientId");
      requireNonNull(identityHeader, "identityHeader");
      String scheme = String.valueOf(endpoint.getScheme());
      if (endpoint.getHost() == null
          || !(scheme.equals("http") || scheme.equals("https"))
          || endpoint.getRawQuery() != null
          || endpoint.getRawFragment() != null) {
        throw new IllegalArgumentException(
            "IDENTITY_ENDPOINT is '%s', but must be an address that starts with http:// or https://"
                .formatted(endpoint));
      }
      if (!WebRequest.isHeaderValue(identityHeader)) {
        throw new IllegalArgumentException("IDENTITY_HEADER has characters that no header carries");
      }
    }

    /**
     * That of this machine: of an app if the environment variables {@code IDENTITY_ENDPOINT} and
     * {@code IDENTITY_HEADER} are set, as App Service, Functions and Container Apps do, and of a
     * virtual machine otherwise.
     *
     * @param variables the environment's
     * @throws IllegalArgumentException if one variable is set without the other
     */
    public static ManagedIdentity of(String clientId, Map<String, String> variables) {
      String endpoint = variables.getOrDefault("IDENTITY_ENDPOINT", "");
      String header = variables.getOrDefault("IDENTITY_HEADER", "");
      if (endpoint.isBlank()) {
        return new ManagedIdentity(clientId, VIRTUAL_MACHINE, "");
      }
      if (header.isBlank()) {
        throw new IllegalArgumentException(
            "IDENTITY_ENDPOINT is set, but IDENTITY_HEADER is not; App Service sets both (Azure Arc"
                + " and Service Fabric are not supported)");
      }
      try {
        return new ManagedIdentity(clientId, new URI(endpoint), header);
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException(
            "IDENTITY_ENDPOINT is '%s', but must be an address".formatted(endpoint), e);
      }
    }

    /** Nobody asks for it: the endpoint knows. */
    @Override
    public String tenant() {
      return "";
    }

    @Override
    public String toString() {
      return clientId.isEmpty()
          ? "system-assigned managed identity"
          : "managed identity " + clientId;
    }
  }

  /**
   * An application that trusts tokens of somebody else, such as a Kubernetes cluster, which puts
   * them into a file and renews them there (workload identity federation).
   *
   * @param tokenFile read anew for every sign-in
   */
  record WorkloadIdentity(String tenant, String clientId, Path tokenFile) implements Credential {
    public WorkloadIdentity {
      check("tenant", tenant, "the directory that knows the application, or AZURE_TENANT_ID");
      check("clientId", clientId, "the application's id, or AZURE_CLIENT_ID");
      requireNonNull(tokenFile, "tokenFile");
    }

    /**
     * What the environment variables {@code AZURE_TENANT_ID}, {@code AZURE_CLIENT_ID} and {@code
     * AZURE_FEDERATED_TOKEN_FILE} say, as far as it is not given.
     *
     * @param tenant empty to take the variable's
     * @param clientId empty to take the variable's
     * @param variables the environment's
     * @throws IllegalArgumentException if something is in neither place
     */
    public static WorkloadIdentity of(
        String tenant, String clientId, Map<String, String> variables) {
      String file = variables.getOrDefault("AZURE_FEDERATED_TOKEN_FILE", "");
      if (file.isBlank()) {
        throw new IllegalArgumentException(
            "AZURE_FEDERATED_TOKEN_FILE is not set, but must name the file with the token of this"
                + " workload");
      }
      return new WorkloadIdentity(
          tenant.isBlank() ? variables.getOrDefault("AZURE_TENANT_ID", "") : tenant,
          clientId.isBlank() ? variables.getOrDefault("AZURE_CLIENT_ID", "") : clientId,
          Path.of(file));
    }

    @Override
    public String toString() {
      return "federated credential of application " + clientId;
    }
  }

  private static void check(String option, String value, String meaning) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "credential.%s is empty, but must be given (%s)".formatted(option, meaning));
    }
  }
}
