package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.yaml.ConnectorFile;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A key is one within its stream, whatever record the details belong to. */
class DetailKeysTest {
  private static final Map<String, String> LOANS =
      Map.of(
          "/loans", "[{\"loanNo\": 7}, {\"loanNo\": 8}]",
          "/loans/7/events", "[{\"seq\": 1, \"what\": \"lent\"}]",
          "/loans/8/events", "[{\"seq\": 1, \"what\": \"returned\"}]");

  @Test
  void different_details_of_two_records_with_one_key_fail_the_run_and_say_what_to_write() {
    SimulatedTime.run(
        1,
        time -> {
          MemorySink sink = new MemorySink();
          assertThat(collect("key: seq", LOANS, sink, time).outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  end -> {
                    assertThat(end.reason()).isEqualTo(Reason.Failure.UNEXPECTED_CONTENT);
                    assertThat(end.detail())
                        .contains("two records have different events with the key '1'");
                  });
          assertThat(sink.keys("events")).hasSize(1);
        });
  }

  @Test
  void an_added_member_of_the_parent_in_the_key_tells_them_apart() {
    SimulatedTime.run(
        1,
        time -> {
          MemorySink sink = new MemorySink();
          String form = "key: [loanNo, seq], add: {loanNo: \"{parent.loanNo}\"}";
          assertThat(collect(form, LOANS, sink, time).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(sink.keys("events")).containsExactlyInAnyOrder("[7,1]", "[8,1]");
        });
  }

  @Test
  void details_that_two_records_share_are_the_same_with_both() {
    SimulatedTime.run(
        1,
        time -> {
          MemorySink sink = new MemorySink();
          Map<String, String> shared =
              Map.of(
                  "/loans", LOANS.get("/loans"),
                  "/loans/7/events", "[{\"seq\": 1}]",
                  "/loans/8/events", "[{\"seq\": 1}]");
          assertThat(collect("key: seq", shared, sink, time).outcome())
              .isEqualTo(new Outcome.Completed());
        });
  }

  private static CollectionResult collect(
      String form, Map<String, String> bodies, MemorySink sink, Time time) throws Exception {
    Transport provider =
        request ->
            new WebAnswer(
                200,
                HttpHeaders.of(Map.of(), (name, value) -> true),
                bodies.getOrDefault(request.uri().getPath(), "").getBytes(StandardCharsets.UTF_8));
    CollectionRequest request =
        CollectionRequest.of(
            "mine",
            ConnectorFile.parse(
                    "loans.yaml",
                    """
                    connector: loans
                    provider: {base: "http://127.0.0.1:8089"}
                    streams:
                      loans: {get: /loans, key: loanNo, pages: none}
                      events: {for-each: loans, get: "/loans/{parent.loanNo}/events", pages: none, FORM}
                    """
                        .replace("FORM", form))
                .bind(Map.of(), provider, time));
    Store store = Store.inMemory(time);
    try (ProviderGates gates = new ProviderGates(store, time)) {
      return new Collector(request, sink, store, gates, provider, time).run();
    }
  }
}
