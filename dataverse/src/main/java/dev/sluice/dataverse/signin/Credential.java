package dev.sluice.dataverse.signin;

import static java.util.Objects.requireNonNull;

import java.security.PrivateKey;
import java.security.cert.X509Certificate;

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

  private static void check(String option, String value, String meaning) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          "credential.%s is empty, but must be given (%s)".formatted(option, meaning));
    }
  }
}
