package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.dataverse.DataverseClient;
import dev.sluice.dataverse.DataverseOptions;
import dev.sluice.dataverse.Identity;
import dev.sluice.dataverse.bulk.BulkProgress.IdleCause;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.signin.Credential.ClientSecret;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.load.run.Load;
import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.dataverse.ApplicationUser;
import dev.sluice.simulator.dataverse.Environment;
import dev.sluice.simulator.dataverse.EnvironmentOptions;
import dev.sluice.simulator.farm.FarmOptions;
import dev.sluice.simulator.farm.ProtectionOptions;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Request;
import dev.sluice.simulator.http.Response;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A load that waits by its own ledger, with no refusal of the service, says so. */
class ExplainedWaitsTest {
  private static final URI ADDRESS = URI.create("http://localhost:5000");
  private static final ApplicationUser USER = ApplicationUser.several(1, 1).getFirst();
  private static final QuotaOptions FEW =
      new QuotaOptions(20, Duration.ofMinutes(20), Duration.ofMinutes(1), 52, OptionalInt.of(1));

  @TempDir Path folder;

  @Test
  void the_progress_line_and_the_summary_say_that_the_ledger_makes_a_load_wait() throws Exception {
    Path file =
        Files.write(
            folder.resolve("accounts.csv"),
            IntStream.range(0, 30_000).mapToObj(i -> i == 0 ? "name" : "Firm " + i).toList());
    StringWriter err = new StringWriter();
    StringWriter out = new StringWriter();
    SimulatedTime.run(
        1,
        time -> {
          Environment environment =
              new Environment(
                  EnvironmentOptions.of(List.of(USER))
                      .withFarm(
                          FarmOptions.DEFAULTS.withProtection(
                              ProtectionOptions.DOCUMENTED
                                  .withRequests(1_000)
                                  .withWindow(FEW.window()))),
                  time,
                  1);
          try (DataverseClient client = connect(environment, time);
              Store store = Store.open(folder.resolve("state.db"), time)) {
            LoadRequest request =
                LoadRequest.of(
                    ADDRESS.toString(), client.table("account"), Operation.CREATE, file.toString());
            Load load = new Load(request, client.bulk(), store, time);
            LoadResult result =
                new LoadScreen(load, client.gate(), FEW, new PrintWriter(err), false, time)
                    .run(InputStream.nullInputStream());
            LoadScreen.summary(new PrintWriter(out), result);
            assertThat(result.progress().done()).isEqualTo(29_999);
            assertThat(result.progress().sending().throttles()).isEmpty();
            assertThat(result.progress().sending().idle().get(IdleCause.PACED))
                .isGreaterThan(Duration.ofSeconds(30));
            assertThat(result.progress().sending().idle()).doesNotContainKey(IdleCause.HELD);
          }
        });
    assertThat(err.toString())
        .containsPattern(
            "app1: waits \\d+ s, because 20 of 20 requests were spent in the last 1 min\\R");
    assertThat(out.toString())
        .containsPattern("nothing was with the service: for .* while no user had any budget left")
        .containsPattern(
            "waited .*\\d+ s by its own ledger, before the service would have refused");
  }

  private static DataverseClient connect(Environment environment, SimulatedTime time)
      throws Exception {
    Identity identity =
        new Identity(
            USER.name(),
            new ClientSecret(
                EnvironmentOptions.TENANT.toString(), USER.clientId().toString(), USER.secret()));
    return DataverseClient.connect(
        DataverseOptions.of(ADDRESS, List.of(identity)).withAuthority(ADDRESS).withLimits(FEW),
        wire(environment),
        time,
        message -> {});
  }

  /** In process: nothing is lost on the way, and nobody is impatient. */
  private static Transport wire(Environment environment) {
    return request -> {
      Response response = (Response) environment.answer(received(request));
      Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      response
          .headers()
          .forEach(
              (name, value) -> headers.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
      return new WebAnswer(
          response.status(), HttpHeaders.of(headers, (name, value) -> true), response.body());
    };
  }

  private static Request received(WebRequest request) {
    URI uri = request.uri();
    Headers headers = Headers.of(request.headers().toArray(String[]::new));
    headers.add("Host", uri.getRawAuthority());
    String target =
        uri.getRawQuery() == null ? uri.getRawPath() : uri.getRawPath() + "?" + uri.getRawQuery();
    return new Request(request.method(), target, headers, request.body());
  }
}
