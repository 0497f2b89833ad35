package dev.sluice.simulator.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.gate.time.Time;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How requests and answers travel: compressed, and over TLS. */
class TransportTest {
  private static final Time TIME = Time.real();
  private static final String LONG = "a long text, ".repeat(1_000);

  /** Answers with what was sent, or with a long text. */
  private static final Service ECHO =
      request ->
          Response.of(
              200,
              Headers.of("Seen-Scheme", "" + request.headers().first("X-Forwarded-Proto")),
              request.body().length == 0 ? LONG.getBytes(StandardCharsets.UTF_8) : request.body());

  private static byte[] zipped(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    }
    return out.toByteArray();
  }

  private static HttpRequest.Builder to(LoopbackServer server) {
    return HttpRequest.newBuilder(server.address().resolve("/"));
  }

  @ParameterizedTest(name = "[{index}] Accept-Encoding: {0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gzip                    | true
          gzip, deflate, br       | true
          deflate, GZIP;q=0.5     | true
          identity                | false
          gzip;q=0                | false
          gzip;q=0.0, deflate     | false
          """)
  void an_answer_is_compressed_if_the_client_accepts_it(String accepted, boolean compressed)
      throws Exception {
    try (LoopbackServer server = LoopbackServer.start(0, ECHO, TIME);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> answer =
          http.send(
              to(server).header("Accept-Encoding", accepted).build(), BodyHandlers.ofByteArray());
      assertThat(answer.headers().allValues("Content-Encoding"))
          .isEqualTo(compressed ? List.of("gzip") : List.of());
      byte[] body =
          compressed
              ? new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes()
              : answer.body();
      assertThat(new String(body, StandardCharsets.UTF_8)).isEqualTo(LONG);
      assertThat(answer.body().length < 1_000).isEqualTo(compressed);
    }
  }

  @Test
  void a_short_answer_and_one_for_a_client_that_says_nothing_are_not_compressed() throws Exception {
    try (LoopbackServer server = LoopbackServer.start(0, ECHO, TIME);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> quiet = http.send(to(server).build(), BodyHandlers.ofString());
      assertThat(quiet.body()).isEqualTo(LONG);
      HttpResponse<String> small =
          http.send(
              to(server)
                  .header("Accept-Encoding", "gzip")
                  .POST(HttpRequest.BodyPublishers.ofString("short"))
                  .build(),
              BodyHandlers.ofString());
      assertThat(small.body()).isEqualTo("short");
    }
  }

  @Test
  void an_answer_that_its_service_has_compressed_is_not_compressed_again() throws Exception {
    byte[] packed = zipped(new byte[1 << 20]);
    Service service = request -> Response.of(200, Headers.of("Content-Encoding", "gzip"), packed);
    try (LoopbackServer server = LoopbackServer.start(0, service, TIME);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> answer =
          http.send(
              to(server).header("Accept-Encoding", "gzip").build(), BodyHandlers.ofByteArray());
      assertThat(answer.headers().allValues("Content-Encoding")).containsExactly("gzip");
      assertThat(answer.body()).isEqualTo(packed);
    }
  }

  @Test
  void a_compressed_body_is_read_as_what_it_was() throws Exception {
    try (LoopbackServer server = LoopbackServer.start(0, ECHO, TIME);
        HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> echo =
          http.send(
              to(server)
                  .header("Content-Encoding", "gzip")
                  .POST(
                      HttpRequest.BodyPublishers.ofByteArray(
                          zipped("text".getBytes(StandardCharsets.UTF_8))))
                  .build(),
              BodyHandlers.ofString());
      assertThat(echo.body()).isEqualTo("text");
    }
  }

  @Test
  void a_body_that_cannot_be_unpacked_is_refused_and_a_bomb_is_not_unpacked_whole()
      throws Exception {
    byte[] whole = zipped(LONG.getBytes(StandardCharsets.UTF_8));
    byte[] cut = java.util.Arrays.copyOf(whole, whole.length / 2);
    ByteArrayOutputStream bomb = new ByteArrayOutputStream();
    try (OutputStream zip = new GZIPOutputStream(bomb)) {
      byte[] megabyte = new byte[1 << 20];
      for (int i = 0; i < 130; i++) {
        zip.write(megabyte);
      }
    }
    try (LoopbackServer server = LoopbackServer.start(0, ECHO, TIME);
        HttpClient http = HttpClient.newHttpClient()) {
      assertThat(posted(http, server, "gzip", cut)).isEqualTo(400);
      assertThat(posted(http, server, "gzip", new byte[] {1, 2, 3})).isEqualTo(400);
      assertThat(posted(http, server, "gzip", new byte[0])).isEqualTo(400);
      assertThat(posted(http, server, "br", whole)).isEqualTo(415);
      assertThat(posted(http, server, "gzip", bomb.toByteArray())).isEqualTo(413);
      assertThat(posted(http, server, "gzip", whole)).isEqualTo(200);
    }
  }

  private static int posted(HttpClient http, LoopbackServer server, String encoding, byte[] body)
      throws IOException, InterruptedException {
    return http.send(
            to(server)
                .header("Content-Encoding", encoding)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  /** A client that trusts what stands in a PEM text, and nobody else. */
  private static HttpClient trusting(String pem) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("simulator", read(pem));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }

  private static X509Certificate read(String pem) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void a_client_that_trusts_the_certificate_is_served_over_tls_by_every_name() throws Exception {
    LoopbackCertificate certificate = LoopbackCertificate.create(TIME.instant());
    try (LoopbackServer server = LoopbackServer.startSecure(0, ECHO, TIME, certificate);
        HttpClient http = trusting(certificate.pem())) {
      assertThat(server.address().getScheme()).isEqualTo("https");
      for (String host : new String[] {"127.0.0.1", "localhost"}) {
        URI address = URI.create("https://%s:%d/".formatted(host, server.port()));
        HttpResponse<String> answer =
            http.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
        assertThat(answer.body()).isEqualTo(LONG);
        assertThat(answer.headers().firstValue("Seen-Scheme")).hasValue("https");
      }
    }
  }

  @Test
  void a_client_that_trusts_another_certificate_turns_away_and_the_next_is_served()
      throws Exception {
    LoopbackCertificate certificate = LoopbackCertificate.create(TIME.instant());
    LoopbackCertificate other = LoopbackCertificate.create(TIME.instant());
    try (LoopbackServer server = LoopbackServer.startSecure(0, ECHO, TIME, certificate);
        HttpClient stranger = trusting(other.pem());
        HttpClient friend = trusting(certificate.pem())) {
      assertThatThrownBy(() -> stranger.send(to(server).build(), BodyHandlers.ofString()))
          .isInstanceOf(SSLHandshakeException.class);
      assertThat(friend.send(to(server).build(), BodyHandlers.ofString()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void a_certificate_is_signed_by_its_own_key_names_the_loopback_and_is_valid_for_a_year()
      throws Exception {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    X509Certificate certificate = read(LoopbackCertificate.create(now).pem());
    certificate.verify(certificate.getPublicKey());
    certificate.checkValidity(Date.from(now));
    certificate.checkValidity(Date.from(Instant.parse("2027-01-01T00:00:00Z")));
    assertThat(certificate.getSubjectAlternativeNames().toString())
        .contains("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(certificate.getBasicConstraints()).isNotNegative();
    assertThat(certificate.getSerialNumber())
        .isNotEqualTo(read(LoopbackCertificate.create(now).pem()).getSerialNumber());
  }
}
