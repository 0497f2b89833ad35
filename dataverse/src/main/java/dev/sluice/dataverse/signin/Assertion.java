package dev.sluice.dataverse.signin;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.dataverse.signin.Credential.Certificate;
import dev.sluice.dataverse.signin.Credential.Signing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Pattern;

/** A signed statement that stands in for a secret: a JSON Web Token (RFC 7523). */
final class Assertion {
  private static final Duration LIFE = Duration.ofMinutes(10);
  private static final Pattern TOKEN = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");

  private Assertion() {}

  /**
   * The statement, ready to be sent.
   *
   * @param audience the address that it is sent to
   * @param id never used before
   */
  static String sign(Certificate credential, URI audience, UUID id, Instant now)
      throws IOException {
    boolean pss = credential.signing() == Signing.PS256;
    try {
      String thumbprint =
          encoded(
              MessageDigest.getInstance(pss ? "SHA-256" : "SHA-1")
                  .digest(credential.certificate().getEncoded()));
      // Nothing below needs escaping but the client id, which is checked by the service, not by us.
      String header =
          "{\"alg\":\"%s\",\"typ\":\"JWT\",\"%s\":\"%s\"}"
              .formatted(credential.signing(), pss ? "x5t#S256" : "x5t", thumbprint);
      String client = credential.clientId().replaceAll("[\"\\\\\\p{Cntrl}]", "");
      String claims =
          "{\"aud\":\"%s\",\"iss\":\"%s\",\"sub\":\"%s\",\"jti\":\"%s\",\"nbf\":%d,\"exp\":%d}"
              .formatted(
                  audience,
                  client,
                  client,
                  id,
                  now.getEpochSecond(),
                  now.plus(LIFE).getEpochSecond());
      String signed = encoded(header.getBytes(UTF_8)) + "." + encoded(claims.getBytes(UTF_8));
      Signature signature = signature(pss);
      signature.initSign(credential.key());
      signature.update(signed.getBytes(UTF_8));
      return signed + "." + encoded(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new SignInException(
          "",
          "the %s cannot sign (%s); check that its key is an RSA key of 2,048 bits or more"
              .formatted(credential, e.getMessage()));
    }
  }

  /** The statement that somebody else has signed and keeps in a file, as it stands there now. */
  static String read(Path file) throws SignInException {
    String token;
    try {
      token = Files.readString(file, UTF_8).strip();
    } catch (NoSuchFileException e) {
      throw new SignInException("", "there is no such file with a federated token: " + file);
    } catch (IOException e) {
      throw new SignInException(
          "", "the federated token in %s cannot be read: %s".formatted(file, e.getMessage()));
    }
    if (token.isEmpty()) {
      throw new SignInException(
          "", "the file of the federated token, %s, is empty".formatted(file));
    }
    if (!TOKEN.matcher(token).matches()) {
      throw new SignInException(
          "",
          "the file %s holds no token, which has three parts with dots between".formatted(file));
    }
    return token;
  }

  private static Signature signature(boolean pss) throws GeneralSecurityException {
    if (!pss) {
      return Signature.getInstance("SHA256withRSA");
    }
    Signature signature = Signature.getInstance("RSASSA-PSS");
    signature.setParameter(
        new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
    return signature;
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
