package dev.sluice.dataverse.signin;

import dev.sluice.dataverse.signin.Credential.Certificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and their keys from files. */
public final class CertificateFiles {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN ([A-Z ]*PRIVATE KEY)-----(.*?)-----END", Pattern.DOTALL);

  private CertificateFiles() {}

  /**
   * Reads the first key with its certificate of a PKCS #12 file ({@code .p12}, {@code .pfx}).
   *
   * @throws IOException if it cannot be read, the password is wrong, or it holds no key
   */
  public static Certificate pkcs12(String tenant, String clientId, Path file, char[] password)
      throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(in, password);
      for (String alias : Collections.list(store.aliases())) {
        if (store.getKey(alias, password) instanceof PrivateKey key
            && store.getCertificate(alias) instanceof X509Certificate certificate) {
          return new Certificate(tenant, clientId, key, certificate);
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IOException("%s cannot be read: %s".formatted(file, e.getMessage()), e);
    }
    throw new IOException(
        "%s holds no private key with a certificate; export both together".formatted(file));
  }

  /**
   * Reads a key and a certificate in PEM; both may stand in one file. The key is an unencrypted
   * PKCS #8 one.
   *
   * @throws IOException if one of them cannot be read, or is not there
   */
  public static Certificate pem(String tenant, String clientId, Path keyFile, Path certificateFile)
      throws IOException {
    PrivateKey key = privateKey(keyFile);
    byte[] text = Files.readAllBytes(certificateFile);
    int start = new String(text, StandardCharsets.ISO_8859_1).indexOf("-----BEGIN CERTIFICATE");
    if (start < 0) {
      throw new IOException("%s holds no certificate in PEM".formatted(certificateFile));
    }
    try {
      return new Certificate(
          tenant,
          clientId,
          key,
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(text, start, text.length - start)));
    } catch (GeneralSecurityException e) {
      throw new IOException("%s cannot be read: %s".formatted(certificateFile, e.getMessage()), e);
    }
  }

  private static PrivateKey privateKey(Path file) throws IOException {
    Matcher matcher = KEY.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    if (!matcher.find()) {
      throw new IOException("%s holds no private key in PEM".formatted(file));
    }
    if (!matcher.group(1).equals("PRIVATE KEY")) {
      throw new IOException(
          ("%s holds a key of the form '%s', but must hold an unencrypted PKCS #8 one; openssl pkcs8"
                  + " -topk8 -nocrypt makes it")
              .formatted(file, matcher.group(1)));
    }
    try {
      return KeyFactory.getInstance("RSA")
          .generatePrivate(
              new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(matcher.group(2))));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IOException("the key in %s is not an RSA key".formatted(file), e);
    }
  }
}
