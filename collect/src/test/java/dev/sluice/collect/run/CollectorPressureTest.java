package dev.sluice.collect.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.collect.sink.Sink;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Envelope;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a provider asks for is kept across runs and processes. */
class CollectorPressureTest {
  private static final String LANE = "simulated";
  private static final Duration ROUND_TRIP = Duration.ofMillis(100);
  private static final Answer LAST_PAGE = new Answer(200, Map.of(), page(null));

  private record Answer(int status, Map<String, List<String>> headers, String body) {
    static Answer throttled(long seconds) {
      return new Answer(429, Map.of("Retry-After", List.of(String.valueOf(seconds))), "{}");
    }

    static Answer page(String next) {
      return new Answer(200, Map.of(), CollectorPressureTest.page(next));
    }
  }

  private static String page(@Nullable String next) {
    return "{\"items\":[{\"id\":%d}],\"next_cursor\":%s}"
        .formatted(next == null ? 1 : next.hashCode(), next == null ? null : '"' + next + '"');
  }

  private interface Story {
    void happen(Scene scene) throws Exception;
  }

  /** A provider that answers as written, and processes that come and go. */
  private static final class Scene {
    final Time time;
    final Store store;
    final Sink sink = new MemorySink();
    final Deque<Answer> script = new ArrayDeque<>();
    final List<Instant> sent = new ArrayList<>();

    Scene(Time time) {
      this.time = time;
      this.store = Store.inMemory(time);
    }

    CollectionResult collect(CollectionRequest request) throws Exception {
      try (ProviderGates gates = new ProviderGates(store, time)) {
        return new Collector(request, sink, store, gates, transport(), time).run();
      }
    }

    Transport transport() {
      return unused -> {
        sent.add(time.instant());
        time.sleep(ROUND_TRIP);
        Answer answer = script.isEmpty() ? LAST_PAGE : script.removeFirst();
        return new WebAnswer(
            answer.status,
            HttpHeaders.of(answer.headers, (name, value) -> true),
            answer.body.getBytes(StandardCharsets.UTF_8));
      };
    }

    Cooldown cooldown() {
      return store.read(transaction -> Lanes.of(transaction, LANE)).cooldown();
    }

    List<StreamGap> gaps() {
      return store.read(transaction -> StreamGaps.of(transaction, "mine"));
    }
  }

  private static void play(Story story) {
    SimulatedTime.run(1, time -> story.happen(new Scene(time)));
  }

  private static CollectionRequest all() {
    return CollectionRequest.of("mine", Items.of(10));
  }

  private static void assertDeferred(CollectionResult result, Reason.Deferral reason) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            Outcome.Deferred.class, end -> assertThat(end.reason()).isEqualTo(reason));
  }

  @Test
  void a_wait_longer_than_a_run_sits_out_becomes_a_gap_until_then_and_arms_the_cooldown() {
    play(
        scene -> {
          scene.script.add(Answer.page("a"));
          scene.script.add(Answer.throttled(600));
          Instant begun = scene.time.instant();
          assertDeferred(scene.collect(all()), Reason.Pressure.RATE_LIMITED);
          assertThat(Duration.between(begun, scene.time.instant()))
              .isLessThan(Duration.ofMinutes(1));
          assertThat(scene.cooldown().consecutive()).isEqualTo(1);
          assertThat(scene.cooldown().until()).isAfterOrEqualTo(begun.plusSeconds(600));
          assertThat(scene.gaps())
              .singleElement()
              .satisfies(
                  gap -> {
                    assertThat(gap.reason()).isEqualTo(Reason.Pressure.RATE_LIMITED);
                    assertThat(gap.due()).isEqualTo(scene.cooldown().until());
                    assertThat(gap.cursor()).contains("a");
                  });
        });
  }

  @Test
  void while_a_provider_is_left_alone_nothing_is_sent_and_the_time_grows_no_longer() {
    play(
        scene -> {
          scene.script.add(Answer.throttled(600));
          assertDeferred(scene.collect(all()), Reason.Pressure.RATE_LIMITED);
          Cooldown before = scene.cooldown();
          scene.time.sleep(Duration.ofMinutes(5));
          CollectionResult second = scene.collect(all());
          assertDeferred(second, Reason.Pressure.RATE_LIMITED);
          assertThat(second.outcome().detail()).endsWith("after one time of pressure");
          assertThat(scene.sent).hasSize(1);
          assertThat(scene.cooldown()).isEqualTo(before);
          scene.time.sleep(Duration.ofMinutes(6));
          assertThat(scene.collect(all()).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.cooldown()).isEqualTo(Cooldown.NONE);
          assertThat(scene.gaps()).isEmpty();
        });
  }

  @Test
  void force_asks_a_provider_that_is_left_alone_but_not_before_its_own_word() {
    play(
        scene -> {
          for (int i = 0; i < 40; i++) {
            scene.script.add(new Answer(503, Map.of(), "{}"));
          }
          CollectionRequest impatient = all().withInlineWait(Duration.ofSeconds(10));
          assertThat(scene.collect(impatient).outcome()).isInstanceOf(Outcome.Deferred.class);
          assertThat(scene.cooldown().stands(scene.time.instant())).isTrue();
          int sent = scene.sent.size();
          scene.script.clear();
          assertThat(scene.collect(all()).progress().requests()).isZero();
          assertThat(scene.sent).hasSize(sent);
          Instant forced = scene.time.instant();
          assertThat(scene.collect(all().withForce(true)).progress().requests()).isPositive();
          assertThat(Duration.between(forced, scene.sent.getLast()))
              .isLessThan(Duration.ofSeconds(5));
        });
  }

  @Test
  void one_record_whose_details_fail_ends_nothing_and_is_a_gap() {
    play(
        scene -> {
          for (int slice = 0; slice < 8; slice++) { // so many that the circuit stays closed
            scene.script.add(Answer.page("slice" + slice));
            scene.script.add(LAST_PAGE);
          }
          scene.script.add(Answer.page("a"));
          Answer failure = new Answer(500, Map.of(), "{}");
          scene.script.addAll(List.of(failure, failure, LAST_PAGE, LAST_PAGE, failure));
          CollectionResult result =
              scene.collect(CollectionRequest.of("mine", Items.of(10).withComments()));
          assertThat(result.outcome()).isEqualTo(new Outcome.CompletedWithGaps());
          assertThat(result.openGaps()).isEqualTo(1);
          assertThat(result.tracks().getFirst().slices()).isEqualTo(10);
          assertThat(scene.cooldown()).isEqualTo(Cooldown.NONE);
        });
  }

  @Test
  void a_gap_of_a_run_that_sent_nothing_keeps_its_place() {
    play(
        scene -> {
          scene.script.add(Answer.page("a"));
          scene.script.add(Answer.throttled(600));
          assertDeferred(scene.collect(all()), Reason.Pressure.RATE_LIMITED);
          StreamGap before = scene.gaps().getFirst();
          CollectionResult second = scene.collect(all());
          assertThat(second.progress().requests()).isZero();
          assertThat(scene.gaps().getFirst().cursor()).contains("a");
          assertThat(scene.gaps().getFirst().since()).isEqualTo(before.since());
          assertThat(second.tracks().getFirst().cursor()).contains("a");
        });
  }

  @Test
  void a_slice_that_ends_where_it_began_is_a_loop() {
    play(
        scene -> {
          scene.script.add(Answer.page("a"));
          scene.script.add(Answer.page("a"));
          assertThat(scene.collect(all()).outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Failure.CURSOR_LOOP));
        });
  }

  @Test
  void an_end_by_the_request_cap_never_arms_the_cooldown_even_right_after_a_throttle() {
    play(
        scene -> {
          scene.script.add(Answer.page("a"));
          scene.script.add(Answer.throttled(5));
          assertDeferred(
              scene.collect(all().withEnvelope(Envelope.UNBOUNDED.withRequestCap(2))),
              Reason.Planned.REQUEST_CAP);
          assertThat(scene.sent).hasSize(2);
          assertThat(scene.cooldown()).isEqualTo(Cooldown.NONE);
          assertThat(scene.collect(all()).outcome()).isEqualTo(new Outcome.Completed());
        });
  }

  @Test
  void an_end_by_the_wall_clock_never_arms_the_cooldown_even_right_after_a_throttle() {
    play(
        scene -> {
          scene.script.add(Answer.page("a"));
          scene.script.add(Answer.throttled(5));
          assertDeferred(
              scene.collect(
                  all().withEnvelope(Envelope.UNBOUNDED.withWallClock(Duration.ofMillis(150)))),
              Reason.Planned.WALL_CLOCK);
          assertThat(scene.sent).hasSize(2);
          assertThat(scene.cooldown()).isEqualTo(Cooldown.NONE);
          assertThat(scene.collect(all()).outcome()).isEqualTo(new Outcome.Completed());
        });
  }

  @Test
  void a_process_that_is_started_again_sends_nothing_before_a_hold_that_another_was_told() {
    play(
        scene -> {
          Transport transport =
              unused -> {
                scene.sent.add(scene.time.instant());
                return new WebAnswer(
                    429,
                    HttpHeaders.of(Map.of("Retry-After", List.of("90")), (name, value) -> true),
                    new byte[0]);
              };
          Time.Task first =
              scene.time.start(
                  "a process that waits",
                  () -> {
                    try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
                      Outcome unused =
                          new Collector(
                                  all(), scene.sink, scene.store, gates, transport, scene.time)
                              .run()
                              .outcome();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
          scene.time.sleep(Duration.ofSeconds(10));
          first.interrupt(); // it waited for the hold to end
          first.join();
          scene.script.clear();
          assertThat(scene.collect(all()).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(Duration.between(scene.sent.get(0), scene.sent.get(1)))
              .isGreaterThanOrEqualTo(Duration.ofSeconds(90));
        });
  }

  @Test
  void a_circuit_that_a_killed_process_left_open_is_waited_for() {
    play(
        scene -> {
          Instant opened = scene.time.instant();
          CircuitTransition fact =
              new CircuitTransition(
                  CircuitState.CLOSED,
                  CircuitState.OPEN,
                  CircuitTransition.Trigger.FAILURE_RATE,
                  CircuitTransition.Reason.TRANSIENT_FAILURES,
                  Duration.ZERO,
                  10,
                  OptionalDouble.empty());
          scene.store.write(
              transaction -> {
                Lanes.circuit(transaction, LANE, fact);
                return null;
              });
          scene.time.sleep(Duration.ofSeconds(20));
          assertThat(scene.collect(all()).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.sent.getFirst()).isEqualTo(opened.plusSeconds(60));
        });
  }

  @Test
  void two_processes_at_one_provider_wait_as_long_as_either_was_told_and_no_longer() {
    play(
        scene -> {
          for (int page = 0; page < 8; page++) {
            scene.script.add(Answer.page("page" + page));
          }
          scene.script.add(Answer.throttled(60));
          for (int page = 8; page < 14; page++) {
            scene.script.add(Answer.page("page" + page));
          }
          List<Outcome> outcomes = new ArrayList<>();
          List<Time.Task> processes = new ArrayList<>();
          for (String name : List.of("mine", "yours")) {
            CollectionRequest request = CollectionRequest.of(name, Items.of(10));
            processes.add(
                scene.time.start(
                    name,
                    () -> {
                      try {
                        outcomes.add(scene.collect(request).outcome());
                      } catch (Exception e) {
                        throw new IllegalStateException(e);
                      }
                    }));
          }
          for (Time.Task process : processes) {
            process.join();
          }
          assertThat(outcomes).containsOnly(new Outcome.Completed()).hasSize(2);
          Instant told = scene.sent.get(8).plus(ROUND_TRIP);
          List<Instant> later = scene.sent.stream().filter(told::isBefore).toList();
          assertThat(later).hasSizeGreaterThanOrEqualTo(2);
          assertThat(later.getFirst()).isBetween(told.plusSeconds(60), told.plusSeconds(61));
          assertThat(later.getLast())
              .as("nobody prolongs what the other heard of it")
              .isBefore(told.plusSeconds(75));
        });
  }

  @Test
  void the_command_that_reopens_a_lane_is_told_as_a_shell_takes_it() {
    play(
        scene -> {
          scene.script.add(new Answer(401, Map.of(), "{}"));
          CollectionRequest request = CollectionRequest.of("mine", Items.of(10).onLane("host #1"));
          CollectionResult unused = scene.collect(request);
          assertThat(scene.collect(request).outcome().detail())
              .endsWith("sluice status --reopen 'host #1'");
        });
  }

  @ParameterizedTest
  @ValueSource(longs = {50, 5_000})
  void who_is_cancelled_waits_for_no_retry_and_leaves_behind_what_was_told(long millis) {
    play(
        scene -> {
          scene.script.add(Answer.throttled(60));
          Instant begun = scene.time.instant();
          try (ProviderGates gates = new ProviderGates(scene.store, scene.time)) {
            Collector collector =
                new Collector(all(), scene.sink, scene.store, gates, scene.transport(), scene.time);
            Time.Task cancelling =
                scene.time.start(
                    "cancel",
                    () -> {
                      try {
                        scene.time.sleep(Duration.ofMillis(millis));
                        collector.cancel(Duration.ofMinutes(5));
                      } catch (InterruptedException e) {
                        throw new IllegalStateException(e);
                      }
                    });
            assertThat(collector.run().outcome()).isEqualTo(new Outcome.Cancelled());
            cancelling.join();
          }
          assertThat(scene.time.instant())
              .isBefore(begun.plusMillis(millis).plus(ROUND_TRIP).plusSeconds(1));
          assertThat(scene.sent).hasSize(1);
          assertThat(scene.store.read(transaction -> Lanes.of(transaction, LANE)).holdUntil())
              .isAfterOrEqualTo(begun.plus(ROUND_TRIP).plusSeconds(60));
        });
  }

  @Test
  void a_credential_that_is_refused_closes_the_lane_until_somebody_acts() {
    play(
        scene -> {
          scene.script.add(new Answer(401, Map.of(), "{}"));
          assertThat(scene.collect(all()).outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  end -> assertThat(end.reason()).isEqualTo(Reason.Failure.AUTH_FAILURE));
          scene.time.sleep(Duration.ofDays(1));
          CollectionResult again = scene.collect(all());
          assertThat(again.outcome())
              .isInstanceOfSatisfying(
                  Outcome.Failed.class,
                  end -> {
                    assertThat(end.reason()).isEqualTo(Reason.Failure.AUTH_FAILURE);
                    assertThat(end.detail()).contains("sluice status --reopen " + LANE);
                  });
          assertThat(scene.sent).hasSize(1);
          scene.store.write(
              transaction -> {
                Lanes.reopen(transaction, LANE);
                return null;
              });
          assertThat(scene.collect(all()).outcome()).isEqualTo(new Outcome.Completed());
          assertThat(scene.cooldown()).isEqualTo(Cooldown.NONE);
        });
  }

  @Test
  void a_provider_that_rests_delays_nobody_but_its_own_collections() {
    play(
        scene -> {
          scene.script.add(Answer.throttled(3600));
          assertDeferred(scene.collect(all()), Reason.Pressure.RATE_LIMITED);
          CollectionRequest other = CollectionRequest.of("other", Items.of(10).onLane("another"));
          assertThat(scene.collect(other).outcome()).isEqualTo(new Outcome.Completed());
          CollectionRequest same = CollectionRequest.of("same lane", Items.of(10));
          assertDeferred(scene.collect(same), Reason.Pressure.RATE_LIMITED);
        });
  }
}
