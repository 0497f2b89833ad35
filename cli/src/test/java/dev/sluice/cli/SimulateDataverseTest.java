package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimulateDataverseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine sluice =
      Sluice.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void it_prints_where_it_is_who_may_sign_in_and_lines_that_work_until_it_is_stopped()
      throws Exception {
    Time time = Time.real();
    Time.Bell printed = time.bell();
    AtomicInteger code = new AtomicInteger(-1);
    sluice.setOut(ringing(printed));
    Time.Task running =
        time.start(
            "sluice",
            () -> code.set(sluice.execute("simulate", "dataverse", "--port", "0", "--users", "2")));
    try {
      assertThat(printed.await(time.deadline(PATIENCE))).isTrue();
      String said = out.toString();
      assertThat(said).containsPattern("app1 +[0-9a-f-]{36} +simulated~").contains("app2");
      assertThat(said).contains("Ctrl-C");
      Matcher curl =
          Pattern.compile("curl -s (\\S+) -d (\\S+) -d (\\S+) -d (\\S+) -d (\\S+)").matcher(said);
      assertThat(curl.find()).isTrue();
      HttpClient http = HttpClient.newHttpClient();
      HttpResponse<String> token =
          http.send(
              HttpRequest.newBuilder(URI.create(curl.group(1)))
                  .POST(
                      HttpRequest.BodyPublishers.ofString(
                          String.join(
                              "&", curl.group(2), curl.group(3), curl.group(4), curl.group(5))))
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(token.statusCode()).as(token.body()).isEqualTo(200);
    } finally {
      running.interrupt();
      assertThat(running.join(time.deadline(PATIENCE))).isTrue();
    }
    assertThat(code).hasValue(0);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void over_https_it_writes_the_certificate_that_its_clients_trust(@TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("simulator.pem");
    Time time = Time.real();
    Time.Bell printed = time.bell();
    sluice.setOut(ringing(printed));
    Time.Task running =
        time.start(
            "sluice",
            () -> sluice.execute("simulate", "dataverse", "--port", "0", "--https=" + file));
    try {
      assertThat(printed.await(time.deadline(PATIENCE))).isTrue();
      assertThat(out.toString()).contains("curl -s --cacert " + file).contains("trust     " + file);
      Matcher address = Pattern.compile("listens on (https://\\S+)").matcher(out.toString());
      assertThat(address.find()).isTrue();
      try (HttpClient http = HttpClient.newBuilder().sslContext(trusting(file)).build()) {
        URI users = URI.create(address.group(1) + "/simulator/users");
        HttpResponse<String> answer =
            http.send(HttpRequest.newBuilder(users).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
      }
    } finally {
      running.interrupt();
      assertThat(running.join(time.deadline(PATIENCE))).isTrue();
    }
    assertThat(err.toString()).isEmpty();
  }

  private static SSLContext trusting(Path pem) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    try (InputStream in = Files.newInputStream(pem)) {
      store.setCertificateEntry(
          "simulator", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  /** Keeps what is printed, and rings when it is flushed. */
  private PrintWriter ringing(Time.Bell printed) {
    return new PrintWriter(
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) {
            out.write(text, from, length);
          }

          @Override
          public void flush() {
            printed.ring();
          }

          @Override
          public void close() {}
        });
  }

  @Test
  void a_port_that_is_in_use_is_named_and_nothing_is_started() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThat(sluice.execute("simulate", "dataverse", "--port", "" + port)).isEqualTo(2);
      assertThat(err.toString())
          .startsWith("sluice simulate dataverse: port %d of this machine cannot".formatted(port));
    }
  }

  @ParameterizedTest(name = "[{index}] {0} {1} is refused: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --port    | 70000            | must be 0 to 65,535
          --users   | 0                | users is 0, but must be 1 to 1,000
          --servers | 0                | servers is 0, but must be 1 to 1,000
          --limits  | speed=5          | there is no limit 'speed'
          --limits  | window=5         | must be a time such as
          --limits  | requests=-1      | requests is -1, but must be 0 or more
          --faults  | hiccup=0.1       | there is no fault 'hiccup'
          --faults  | deadlock=2       | rate is 2.0, but must be 0 to 1
          --schema  | nowhere.json     | there is no file nowhere.json
          --service-time | -1          | factor is -1.0
          --https=nowhere/x.pem | --port=0 | nowhere/x.pem cannot be written
          """)
  void what_cannot_be_is_refused_with_what_can(String option, String value, String says) {
    assertThat(sluice.execute("simulate", "dataverse", option, value)).isEqualTo(3);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains(says).contains("See: sluice simulate dataverse --help");
  }

  @Test
  void a_schema_that_cannot_be_read_is_refused_with_the_place(@TempDir Path folder)
      throws IOException {
    Path file = folder.resolve("tables.json");
    Files.writeString(file, "{\"tables\": [\n{\"name\": \"x\",");
    assertThat(sluice.execute("simulate", "dataverse", "--schema", file.toString())).isEqualTo(3);
    assertThat(err.toString()).contains("tables.json is not JSON: line 2");
  }

  @Test
  void a_schema_that_is_a_folder_or_not_text_is_refused_with_its_name(@TempDir Path folder)
      throws IOException {
    assertThat(sluice.execute("simulate", "dataverse", "--schema", folder.toString())).isEqualTo(3);
    assertThat(err.toString()).contains(folder + " cannot be read").doesNotContain("\tat ");
    Path file = Files.write(folder.resolve("tables.json"), new byte[] {'{', (byte) 0xff});
    assertThat(sluice.execute("simulate", "dataverse", "--schema", file.toString())).isEqualTo(3);
    assertThat(err.toString()).contains(file + " cannot be read: it is not UTF-8");
  }

  @Test
  void help_names_every_option_and_fits_a_terminal_of_eighty_columns() {
    assertThat(sluice.execute("simulate", "dataverse", "--help")).isZero();
    assertThat(out.toString())
        .contains(
            "--port",
            "--https",
            "--users",
            "--servers",
            "--limits",
            "--faults",
            "--schema",
            "deadlock");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void without_a_service_the_services_are_shown_as_an_error() {
    assertThat(sluice.execute("simulate")).isEqualTo(3);
    assertThat(err.toString()).contains("Usage: sluice simulate").contains("dataverse");
  }
}
