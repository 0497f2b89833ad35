package dev.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.bookmark.Mode;
import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.gap.Miss;
import dev.sluice.runs.gap.MissedDetails;
import dev.sluice.runs.gap.MissingDetail;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.lease.Claim;
import dev.sluice.runs.lease.Lease;
import dev.sluice.runs.lease.Leases;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.LaneNow;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Store;
import dev.sluice.simulator.catalogue.CatalogueOptions;
import dev.sluice.simulator.provider.Misbehaviour;
import dev.sluice.simulator.provider.http.Credentials;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What {@code sluice gaps} and {@code sluice status} say of what is in a store, and who acts. */
class StoreCommandsTest extends OnStage {
  private static final Instant DUE = Instant.parse("2100-01-01T00:00:00Z");

  private void noteRest(String reason) {
    stage.write(
        transaction -> {
          StreamGaps.note(
              transaction,
              new Track("mine", "items", "", Mode.STEADY),
              Optional.empty(),
              Reason.named(reason),
              "",
              DUE,
              1);
          return null;
        });
  }

  private void noteMissing(String key, Miss miss, int times) {
    stage.write(
        transaction -> {
          for (int i = 0; i < times; i++) {
            boolean unused =
                MissedDetails.note(
                    transaction,
                    new MissingDetail("mine", "comments", "items", key, "", "{}"),
                    1,
                    miss);
          }
          return null;
        });
  }

  private void quarantine(String key) {
    noteMissing(
        key, new Miss.Refused(Reason.Failure.FORBIDDEN, Optional.empty()), Miss.QUARANTINED_AFTER);
  }

  @ParameterizedTest
  @CsvSource({
    "request_cap, by the next run, false, false",
    "not_found, by the next run, false, false",
    "rate_limited, from 2100-01-01T00:00:00Z, true, false",
    "auth_failure, once somebody has acted, false, true",
    "suspended, once somebody has acted, false, true",
    "quota_spent, once somebody has acted, false, true",
  })
  void when_a_rest_is_tried_again_depends_on_why_it_was_left(
      String reason, String words, boolean due, boolean needsSomebody) {
    noteRest(reason);
    assertThat(stage.look("gaps").out()).contains("TRIED AGAIN", words);
    JsonNode gap = stage.look("gaps", "--output", "json").json().path("streams").path(0);
    assertThat(gap.has("due")).isEqualTo(due);
    assertThat(gap.path("needsSomebody").asBoolean()).isEqualTo(needsSomebody);
  }

  @Test
  void a_missing_detail_is_explained_with_its_next_try_and_those_that_need_somebody_come_first() {
    assertThat(stage.collect().code()).isZero();
    noteMissing("a", new Miss.NotSent(Reason.Planned.REQUEST_CAP), 1);
    noteMissing("b", new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(DUE)), 1);
    quarantine("c");
    noteMissing("d", new Miss.Gone(Reason.Failure.NOT_FOUND), 1);
    assertThat(stage.look("gaps", "explain", "mine").out().lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains(" c ", "quarantined", "once it is requeued"),
            line -> assertThat(line).contains(" a ", "pending", "by the next run"),
            line -> assertThat(line).contains(" b ", "pending", "from 2100-01-01T00:00:00Z"),
            line -> assertThat(line).contains(" d ", "gone", "once it is requeued"));
    assertThat(stage.look("gaps", "explain", "mine", "--limit", "2").out().lines()).hasSize(3);
  }

  @Test
  void requeue_reopens_a_record_that_fails_and_says_why_another_has_to_wait() {
    assertThat(stage.collect().code()).isZero();
    noteMissing("a", new Miss.Failing(), 1);
    noteMissing("b", new Miss.PutOff(Reason.Pressure.UPSTREAM_PRESSURE, Optional.empty()), 1);
    noteMissing("c", new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(DUE)), 1);
    assertThat(stage.look("gaps", "requeue", "mine").out().lines())
        .containsExactly(
            "2 will be tried again by the next run",
            "1 wait for the time that the provider told, the first until 2100-01-01T00:00:00Z");
    JsonNode again = stage.look("gaps", "requeue", "mine", "--output", "json").json();
    assertThat(again.path("reopened").asInt()).isZero();
    assertThat(again.path("resting").asInt()).isEqualTo(1);
    assertThat(again.path("restingUntil").asString()).isEqualTo("2100-01-01T00:00:00Z");
  }

  @Test
  void what_was_recovered_is_not_listed_among_what_is_missing() {
    assertThat(stage.collect().code()).isZero();
    noteMissing("a", new Miss.NotSent(Reason.Planned.REQUEST_CAP), 1);
    stage.write(
        transaction -> {
          boolean unused = MissedDetails.filled(transaction, "mine", "comments", "items", "a");
          return null;
        });
    Ran ran = stage.look("gaps", "explain", "mine");
    assertThat(ran.code()).isZero();
    assertThat(ran.out()).startsWith("no details of mine are known to be missing");
    assertThat(stage.look("gaps").out()).startsWith("nothing is known to be missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"explain", "requeue"})
  void a_collection_that_nobody_knows_is_refused_with_where_to_look(String command) {
    assertThat(stage.collect().code()).isZero();
    noteRest("request_cap");
    Ran ran = stage.look("gaps", command, "mien");
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.out()).isEmpty();
    assertThat(ran.err())
        .contains("there is no collection 'mien' here; did you mean 'mine'?")
        .contains("sluice gaps --state %s lists what is missing".formatted(stage.state()));
  }

  @Test
  void a_run_that_leaves_only_details_in_quarantine_says_that_nothing_comes_by_itself() {
    assertThat(stage.collect().code()).isZero();
    quarantine("c");
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(ran.err())
        .contains("details of 1 record were refused too often", "by itself")
        .contains("sluice gaps requeue --state %s mine".formatted(stage.state()))
        .doesNotContain("later runs");
  }

  @Test
  void a_run_that_leaves_details_pending_says_that_later_runs_fetch_them() {
    Ran ran = stage.collect("--max-requests", "20");
    assertThat(ran.code()).isEqualTo(ExitCode.DEFERRED.number());
    noteMissing("x", new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(DUE)), 1);
    Ran second = stage.collect();
    assertThat(second.err())
        .contains("details of 1 record are missing; later runs fetch them")
        .doesNotContain("requeue");
    quarantine("c");
    assertThat(stage.collect().err()).contains("requeue", "details of 1 record more are fetched");
  }

  @Test
  void a_run_that_left_gaps_says_how_many_and_that_none_are_left_once_that_is_so() {
    assertThat(stage.collect().code()).isZero();
    noteMissing("x", new Miss.PutOff(Reason.Pressure.RATE_LIMITED, Optional.of(DUE)), 1);
    assertThat(stage.collect().code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(stage.look("runs").out())
        .containsPattern("completed_with_gaps +1 missing at its end, ");
    stage.write(transaction -> transaction.update("update detail_gap set state = 'recovered'"));
    assertThat(stage.look("runs").out())
        .containsPattern("completed_with_gaps +1 missing at its end and none now, ");
  }

  @Test
  void a_run_says_how_many_requests_it_made_and_what_they_met() throws IOException {
    stage.close();
    stage =
        new CollectStage(
            folder,
            options ->
                options
                    .withCatalogue(CatalogueOptions.DEFAULTS.withItems(400))
                    .withService(
                        options.service().withMisbehaviours(Set.of(Misbehaviour.BODY_TRUNCATED))));
    Ran ran = stage.collect("--output", "json");
    assertThat(ran.code()).isZero();
    JsonNode summary = ran.json();
    assertThat(summary.path("requests").asLong()).isPositive();
    assertThat(summary.path("refused").asLong(-1)).isZero();
    assertThat(summary.path("failed").asLong()).isPositive();
    assertThat(summary.path("retries").asLong()).isPositive();
    assertThat(summary.path("waitedMs").path("pace").asLong()).isPositive();
    JsonNode counts =
        stage.look("runs", "--output", "json").json().path("runs").path(0).path("counts");
    for (String name : List.of("requests", "refused", "failed", "retries")) {
      assertThat(counts.path(name)).as(name).isEqualTo(summary.path(name));
    }
    assertThat(counts.path("waited_pace_ms").asLong()).isPositive();
    assertThat(stage.look("runs").out())
        .containsPattern(" 0 refused, .* retr(y|ies), .* waited .* s for the pace");
    assertThat(stage.collect().out()).containsPattern("\n  \\d+ failed, 0 refused, ");
  }

  @Test
  void a_run_that_is_at_work_says_how_fast_its_lane_is_and_why_no_faster() {
    assertThat(stage.collect().code()).isZero();
    String lane = onlyLane();
    stage.write(
        transaction -> {
          LaneNow.say(transaction, lane, "held for another 37 s: the provider said so", 2.1, 10);
          return null;
        });
    assertThat(stage.look("status").out()).doesNotContain("held for another");
    try (Store store = Store.open(stage.state(), Time.real());
        Lease lease = ((Claim.Taken) new Leases(store, Time.real()).take("work")).lease()) {
      RunRecord unused =
          new Runs(store, Time.real()).begin(lease, "collect", "mine", "items", lane);
      assertThat(stage.look("status").out())
          .contains("NOW", "sends 2.1/s of 10/s (held for another 37 s: the provider said so)");
      JsonNode now =
          stage.look("status", "--output", "json").json().path("lanes").path(0).path("now");
      assertThat(now.path("measuredRate").asDouble()).isEqualTo(2.1);
      assertThat(now.path("allowedRate").asDouble()).isEqualTo(10);
      assertThat(now.path("reason").asString()).startsWith("held for another 37 s");
    }
  }

  /** A run of the collection that was killed after 450 records; its number. */
  private long kill(String lane) {
    try (Store store = Store.open(stage.state(), Time.real());
        Lease lease = ((Claim.Taken) new Leases(store, Time.real()).take("work")).lease()) {
      RunRecord run = new Runs(store, Time.real()).begin(lease, "collect", "mine", "items", lane);
      return store.write(
          transaction -> {
            Runs.count(transaction, run, Map.of("records", 450L));
            return run.id();
          });
    }
  }

  private String onlyLane() {
    return stage
        .look("status", "--output", "json")
        .json()
        .path("lanes")
        .path(0)
        .path("lane")
        .asString();
  }

  @Test
  void a_run_that_was_killed_is_told_with_where_it_stands_until_the_next_one_has_ended() {
    assertThat(stage.collect().code()).isZero();
    assertThat(stage.look("gaps").code()).isZero();
    assertThat(stage.look("status").code()).isZero();
    long run = kill(onlyLane());
    Ran gaps = stage.look("gaps");
    assertThat(gaps.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(gaps.out())
        .doesNotContain("nothing is known")
        .containsPattern(
            "mine: its last run \\(%d, begun .*\\) was killed after 450 records; the next run goes on with items from 20"
                .formatted(run));
    Ran json = stage.look("gaps", "--output", "json");
    assertThat(json.code()).isEqualTo(ExitCode.DEFERRED.number());
    JsonNode killed = json.json().path("killed").path(0);
    assertThat(killed.path("records").asInt()).isEqualTo(450);
    assertThat(killed.path("tracks").path(0).path("stream").asString()).isEqualTo("items");
    assertThat(killed.path("tracks").path(0).has("cursor")).isTrue();
    Ran status = stage.look("status");
    assertThat(status.code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(status.out()).contains("the last run of mine was killed (sluice gaps --state ");
    assertThat(stage.collect().code()).isZero();
    assertThat(stage.look("gaps").code()).isZero();
    assertThat(stage.look("gaps").out()).startsWith("nothing is known to be missing");
  }

  @Test
  void scripts_can_tell_from_the_exit_code_whether_something_is_missing() {
    assertThat(stage.collect().code()).isZero();
    noteMissing("d", new Miss.Gone(Reason.Failure.NOT_FOUND), 1);
    assertThat(stage.look("gaps").code()).as("gone for good").isZero();
    noteMissing("a", new Miss.NotSent(Reason.Planned.REQUEST_CAP), 1);
    assertThat(stage.look("gaps").code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(stage.look("gaps", "--output", "json").code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(Ran.of("gaps", "--help").out())
        .contains("Exit codes:", "0   nothing is known to be missing", "6   something is missing");
  }

  @Test
  void scripts_can_tell_from_the_exit_code_whether_somebody_has_to_act() {
    assertThat(stage.collect().code()).isZero();
    stage.write(
        transaction -> {
          Lanes.hold(transaction, "held", DUE, HoldCause.TOLD);
          return null;
        });
    assertThat(stage.look("status").code()).isEqualTo(ExitCode.DEFERRED.number());
    stage.write(
        transaction -> {
          Lanes.stop(transaction, "closed", Signal.Stopped.Reason.SUSPENDED);
          return null;
        });
    assertThat(stage.look("status").code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(stage.look("status", "--output", "json").code()).isEqualTo(ExitCode.FAILED.number());
    assertThat(stage.look("status", "--reopen", "closed").code()).as("it was done").isZero();
    assertThat(stage.look("status").code()).isEqualTo(ExitCode.DEFERRED.number());
    assertThat(Ran.of("status", "--help").out()).contains("Exit codes:", "2   a lane is stopped");
  }

  @Test
  void a_lane_whose_circuit_is_open_is_not_free() {
    stage.write(
        transaction -> {
          Lanes.circuit(
              transaction,
              "api",
              new CircuitTransition(
                  CircuitState.CLOSED,
                  CircuitState.OPEN,
                  CircuitTransition.Trigger.FAILURE_RATE,
                  CircuitTransition.Reason.TRANSIENT_FAILURES,
                  Duration.ZERO,
                  20,
                  OptionalDouble.empty()));
          return null;
        });
    Ran seen = stage.look("status");
    assertThat(seen.out()).contains("the circuit is open until");
    assertThat(seen.code()).isEqualTo(ExitCode.DEFERRED.number());
  }

  @Test
  void evidence_of_a_run_or_of_a_lane_is_listed_with_what_its_circuit_did() {
    assertThat(stage.collect().code()).isZero();
    assertThat(stage.look("evidence").out()).startsWith("nothing out of the ordinary happened");
    String lane = onlyLane();
    long run = kill(lane);
    stage.write(
        transaction -> {
          EvidenceLog.append(
              transaction,
              run,
              Evidence.Kind.CIRCUIT_MOVED,
              Facts.NONE
                  .with(Fact.PREVIOUS_STATE, CircuitState.CLOSED)
                  .with(Fact.STATE, CircuitState.OPEN)
                  .with(Fact.TRIGGER, CircuitTransition.Trigger.FAILURE_RATE));
          return null;
        });
    assertThat(stage.look("status", "--reopen", lane).code()).isZero();
    assertThat(stage.look("evidence").out().lines().skip(1))
        .singleElement()
        .asString()
        .containsPattern(
            " %d +circuit_moved +previous_state=closed state=open trigger=failure_rate"
                .formatted(run));
    assertThat(stage.look("evidence", "--run", String.valueOf(run)).out())
        .isEqualTo(stage.look("evidence").out());
    JsonNode all =
        stage.look("evidence", "--lane", lane, "--output", "json").json().path("evidence");
    assertThat(all.size()).isEqualTo(2);
    assertThat(all.path(0).path("run").asLong()).isEqualTo(run);
    assertThat(all.path(0).path("kind").asString()).isEqualTo("circuit_moved");
    assertThat(all.path(0).path("facts").path("state").asString()).isEqualTo("open");
    assertThat(all.path(1).path("kind").asString()).isEqualTo("lane_reopened");
    assertThat(stage.look("evidence", "--lane", lane, "--limit", "1").out().lines().skip(1))
        .singleElement()
        .asString()
        .contains("lane_reopened");
  }

  @ParameterizedTest
  @CsvSource({
    "--run, 99, there is no run 99; sluice runs --state",
    "--lane, none, there is no lane 'none'; there are [",
    "--limit, 0, --limit is 0",
  })
  void evidence_that_nobody_can_have_is_refused_with_where_to_look(
      String option, String value, String message) {
    assertThat(stage.collect().code()).isZero();
    Ran ran = stage.look("evidence", option, value);
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"text", "json"})
  void evidence_before_the_first_run_says_that_there_is_none(String output) {
    stage.write(transaction -> null);
    Ran ran = stage.look("evidence", "--output", output);
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_ARGUMENTS.number());
    assertThat(ran.err()).contains("there is no run yet");
    assertThat(ran.out()).isEmpty();
  }

  /** As {@code sluice status} shows it to programs. */
  private String numberOf(String lane) {
    for (JsonNode each : stage.look("status", "--output", "json").json().path("lanes")) {
      if (each.path("lane").asString().equals(lane)) {
        return String.valueOf(each.path("number").asLong());
      }
    }
    throw new AssertionError("no lane " + lane);
  }

  @Test
  void the_status_of_a_lane_tells_what_is_missing_and_how_many_retries_were_left()
      throws IOException {
    assertThat(stage.collect("--max-requests", "5").code()).isEqualTo(ExitCode.DEFERRED.number());
    JsonNode lane = stage.look("status", "--output", "json").json().path("lanes").path(0);
    assertThat(lane.path("collections").path(0).asString()).isEqualTo("mine");
    assertThat(lane.path("missing").path("details").asInt()).isEqualTo(6);
    assertThat(lane.path("missing").path("streams").asInt()).isEqualTo(1);
    assertThat(lane.path("missing").has("since")).isTrue();
    assertThat(lane.path("retriesLeft").asInt()).isEqualTo(1); // a fifth of five
    assertThat(stage.look("status").out())
        .contains("RETRIES LEFT", "details of 6 records and the rest of 1 stream, for up to ");
    assertThat(stage.collect().code()).isZero();
    assertThat(stage.look("status").out()).contains("none");
  }

  @Test
  void a_lane_that_is_held_or_left_alone_says_until_when_and_why() {
    Instant far = Instant.parse("2100-01-01T00:00:00Z");
    stage.write(
        transaction -> {
          Lanes.hold(transaction, "lane", far, HoldCause.QUOTA);
          Lanes.holdPart(transaction, "lane", "lane route texts", far, HoldCause.TOLD);
          Cooldown unused =
              Lanes.press(
                  transaction,
                  "lane",
                  Reason.Pressure.RATE_LIMITED,
                  transaction.now(),
                  Optional.of(far));
          return null;
        });
    assertThat(stage.look("status").out())
        .contains(
            "held until 2100-01-01T00:00:00Z, because the provider says that its quota is used up",
            "route texts held until 2100-01-01T00:00:00Z, because the provider throttled and named",
            "left alone until 2100-01-01T00:00:00Z, after 1 time of pressure in a row"
                + " (rate_limited)");
    JsonNode lane = stage.look("status", "--output", "json").json().path("lanes").path(0);
    assertThat(lane.path("heldBecause").asString()).isEqualTo("quota");
    assertThat(lane.path("cooldownReason").asString()).isEqualTo("rate_limited");
    assertThat(lane.path("heldParts").path(0).path("part").asString()).isEqualTo("route texts");
  }

  @Test
  void the_command_that_reopens_a_lane_can_be_pasted_into_a_shell() {
    stage.write(
        transaction -> {
          Lanes.stop(transaction, "host #1 $x", Signal.Stopped.Reason.AUTH_FAILURE);
          return null;
        });
    assertThat(stage.look("status").out())
        .contains("sluice status --state %s --reopen 'host #1 $x'".formatted(stage.state()));
    assertThat(stage.look("status", "--reopen", "host #1 $x").code()).isZero();
    String number = numberOf("host #1 $x");
    stage.write(
        transaction -> {
          assertThat(EvidenceLog.latest(transaction, EvidenceLog.NO_RUN, 99))
              .singleElement()
              .satisfies(
                  evidence -> {
                    assertThat(evidence.kind()).isEqualTo(Evidence.Kind.LANE_REOPENED);
                    assertThat(evidence.facts())
                        .containsExactly(
                            Map.entry("lane", number), Map.entry("reason", "auth_failure"));
                  });
          return null;
        });
    assertThat(stage.look("status").out()).contains("free");
  }

  @Test
  void refused_credentials_end_with_what_to_do_and_nothing_is_tried_until_it_is_done()
      throws IOException {
    stage.close();
    stage =
        new CollectStage(
            folder, options -> options.withCredentials(Credentials.of(Credentials.Kind.BEARER, 1)));
    Ran ran = stage.collect();
    assertThat(ran.code()).isEqualTo(ExitCode.NOT_SIGNED_IN.number());
    assertThat(ran.err())
        .contains(
            "once that is settled: sluice status --state %s --reopen ".formatted(stage.state()));
    assertThat(stage.look("gaps").out()).contains("once somebody has acted");
    Ran again = stage.collect("--output", "json");
    assertThat(again.code()).isEqualTo(ExitCode.NOT_SIGNED_IN.number());
    assertThat(again.json().path("requests").asInt()).isZero();
  }
}
