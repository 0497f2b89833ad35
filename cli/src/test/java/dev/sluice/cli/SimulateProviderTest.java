package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.sluice.gate.time.Time;
import dev.sluice.simulator.provider.Misbehaviour;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class SimulateProviderTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine sluice =
      Sluice.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));

  @Test
  void help_explains_every_option_and_fits_a_terminal() {
    assertThat(sluice.execute("simulate", "provider", "--help")).isZero();
    assertThat(out.toString())
        .contains("--port", "--limit", "--signal", "--misbehave", "--items", "--paging")
        .contains("sliding:100/1m");
    assertThat(out.toString().lines()).allMatch(line -> line.length() <= 80);
  }

  @Test
  void every_misbehaviour_is_listed_with_a_line() {
    assertThat(sluice.execute("simulate", "provider", "--misbehave", "help")).isZero();
    assertThat(out.toString().lines()).hasSize(Misbehaviour.values().length);
    assertThat(out.toString()).contains("retry-after-zero                every throttle says");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--limit     | 5           | limit '5' cannot be read at '5'",
        "--signal    | smoke       | --signal is 'smoke', but must be one of retry-after, bare-429",
        "--paging    | scroll      | --paging is 'scroll', but must be one of offset, page",
        "--misbehave | lockout     | did you mean 'lock-out'?",
        "--misbehave | dance       | there is no misbehaviour 'dance'",
        "--change    | soon        | --change is 'soon', but must be a time and a factor",
        "--items     | -1          | items is -1, but must be 0 to 1,000,000",
        "--items     | many        | many",
        "--port      | 70000       | --port is 70000, but must be 0 to 65,535",
        "--neighbour | 1           | neighbour is 1.0, but must be 0 to below 1",
        "--latency   | -5          | latency is PT-0.005S, but must be 0 to 1 h",
        "--accounts  | 3           | without credentials there is one account"
      })
  void a_wrong_option_is_refused_with_what_was_expected(String option, String value, String why) {
    String port = option.equals("--port") ? "--seed=1" : "--port=0";
    assertThat(sluice.execute("simulate", "provider", port, option + "=" + value)).isEqualTo(3);
    assertThat(err.toString()).contains(why).contains("See: sluice simulate provider --help");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void a_port_that_is_taken_is_named() throws Exception {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try {
      int port = other.getAddress().getPort();
      assertThat(sluice.execute("simulate", "provider", "--port", String.valueOf(port)))
          .isEqualTo(2);
      assertThat(err.toString()).contains("port " + port + " cannot be had");
    } finally {
      other.stop(0);
    }
  }

  @Test
  void it_serves_until_it_is_stopped() throws Exception {
    AtomicInteger code = new AtomicInteger(-1);
    Time.Task task =
        Time.real()
            .start(
                "sluice",
                () ->
                    code.set(
                        sluice.execute(
                            "simulate",
                            "provider",
                            "--port=0",
                            "--limit=first:1/1h",
                            "--misbehave=throttle-as-403",
                            "--auth=bearer",
                            "--accounts=2")));
    Matcher curl = Pattern.compile("curl -i -H '(.*): (.*)' '(.*)'").matcher("");
    long deadline = Time.real().deadline(Duration.ofSeconds(20));
    while (!curl.reset(out.toString()).find() && Time.real().nanos() < deadline) {
      Time.real().sleep(Duration.ofMillis(20));
    }
    assertThat(out.toString())
        .contains("accounts  client-1 and simulated-secret-1 to client-2 and simulated-secret-2");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(curl.group(3)))
            .header(curl.group(1), curl.group(2))
            .build();
    HttpClient client = HttpClient.newHttpClient();
    assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
        .isEqualTo(403);
    task.interrupt();
    assertThat(task.join(Time.real().deadline(Duration.ofSeconds(20)))).isTrue();
    assertThat(code.get()).isZero();
  }
}
