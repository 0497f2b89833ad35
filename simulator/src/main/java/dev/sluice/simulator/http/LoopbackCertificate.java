package dev.sluice.simulator.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for the loopback address, made and signed here, with its key. It is written in DER
 * by hand, since the JDK can read certificates and sign, but has no public way to make one. The key
 * never leaves this object. Immutable.
 */
public final class LoopbackCertificate {
  private static final Duration BEFORE = Duration.ofDays(1);
  private static final Duration AFTER = Duration.ofDays(397);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

  // The tags of DER that a certificate needs.
  private static final int BOOLEAN = 0x01;
  private static final int INTEGER = 0x02;
  private static final int BIT_STRING = 0x03;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_ID = 0x06;
  private static final int UTF8 = 0x0c;
  private static final int GENERALIZED_TIME = 0x18;
  private static final int SEQUENCE = 0x30;
  private static final int SET = 0x31;
  private static final int VERSION = 0xa0;
  private static final int EXTENSIONS = 0xa3;
  private static final int DNS_NAME = 0x82;
  private static final int IP_ADDRESS = 0x87;

  // Object ids in their encoded form.
  private static final int[] ECDSA_WITH_SHA256 = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02};
  private static final int[] COMMON_NAME = {0x55, 0x04, 0x03};
  private static final int[] ALTERNATIVE_NAMES = {0x55, 0x1d, 0x11};
  private static final int[] BASIC_CONSTRAINTS = {0x55, 0x1d, 0x13};

  private final KeyPair keys;
  private final Certificate certificate;

  private LoopbackCertificate(KeyPair keys, Certificate certificate) {
    this.keys = keys;
    this.certificate = certificate;
  }

  /**
   * A new one, for {@code localhost}, {@code 127.0.0.1} and {@code ::1}.
   *
   * @param now from a day before to a year after that it is valid
   */
  public static LoopbackCertificate create(Instant now) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(keys.getPublic().getEncoded());
      byte[] unsigned = unsigned(keys, new BigInteger(1, Arrays.copyOf(digest, 8)), now);
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(keys.getPrivate());
      signature.update(unsigned);
      byte[] whole = der(SEQUENCE, unsigned, algorithm(), bits(signature.sign()));
      return new LoopbackCertificate(
          keys,
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java cannot make a certificate", e);
    }
  }

  /** RFC 5280, section 4.1: what is signed. */
  private static byte[] unsigned(KeyPair keys, BigInteger serial, Instant now) {
    byte[] name =
        der(
            SEQUENCE,
            der(SET, der(SEQUENCE, id(COMMON_NAME), text(UTF8, "Sluice simulator (loopback)"))));
    byte[] names =
        der(
            SEQUENCE,
            text(DNS_NAME, "localhost"),
            der(IP_ADDRESS, new byte[] {127, 0, 0, 1}),
            der(IP_ADDRESS, new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
    byte[] authority = der(SEQUENCE, der(BOOLEAN, new byte[] {(byte) 0xff}));
    byte[] extensions =
        der(
            SEQUENCE,
            der(SEQUENCE, id(ALTERNATIVE_NAMES), der(OCTET_STRING, names)),
            der(
                SEQUENCE,
                id(BASIC_CONSTRAINTS),
                der(BOOLEAN, new byte[] {(byte) 0xff}),
                der(OCTET_STRING, authority)));
    return der(
        SEQUENCE,
        der(VERSION, der(INTEGER, new byte[] {2})),
        der(INTEGER, serial.toByteArray()),
        algorithm(),
        name,
        der(
            SEQUENCE,
            text(GENERALIZED_TIME, TIME.format(now.minus(BEFORE))),
            text(GENERALIZED_TIME, TIME.format(now.plus(AFTER)))),
        name,
        keys.getPublic().getEncoded(),
        der(EXTENSIONS, extensions));
  }

  private static byte[] algorithm() {
    return der(SEQUENCE, id(ECDSA_WITH_SHA256));
  }

  private static byte[] id(int[] encoded) {
    byte[] bytes = new byte[encoded.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) encoded[i];
    }
    return der(OBJECT_ID, bytes);
  }

  private static byte[] text(int tag, String text) {
    return der(tag, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Bits in whole bytes: none of the last byte is unused. */
  private static byte[] bits(byte[] bytes) {
    return der(BIT_STRING, new byte[] {0}, bytes);
  }

  /** A tag, the length, and the parts one after the other. */
  private static byte[] der(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    int length = content.size();
    ByteArrayOutputStream out = new ByteArrayOutputStream(length + 4);
    out.write(tag);
    if (length >= 0x100) {
      out.write(0x82);
      out.write(length >> 8);
    } else if (length >= 0x80) {
      out.write(0x81);
    }
    out.write(length);
    out.writeBytes(content.toByteArray());
    return out.toByteArray();
  }

  /** What servers speak TLS with. */
  SSLContext context() {
    try {
      char[] password = "unused".toCharArray(); // the store is never written
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, password);
      store.setKeyEntry("loopback", keys.getPrivate(), password, new Certificate[] {certificate});
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(store, password);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this Java cannot serve TLS", e);
    }
  }

  /** The certificate, without its key: what clients trust. */
  public Certificate certificate() {
    return certificate;
  }

  /** The same as text, in the form that other programs read (PEM). */
  public String pem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(certificate.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate made here cannot be written", e);
    }
  }
}
