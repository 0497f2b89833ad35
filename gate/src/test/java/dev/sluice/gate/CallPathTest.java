package dev.sluice.gate;

import static dev.sluice.gate.Gates.SECOND;
import static dev.sluice.gate.Gates.fragile;
import static dev.sluice.gate.Gates.on;
import static dev.sluice.gate.Gates.seconds;
import static dev.sluice.gate.Gates.slots;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.control.budget.RunBudget;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import dev.sluice.control.parallelism.AimdPolicy;
import dev.sluice.control.retry.RetryBudget;
import dev.sluice.control.retry.RetryOptions;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Signals;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The one call path: what ends a call, what it waits for, and who is blamed. */
class CallPathTest {
  private static final Run RUN = Run.unbounded();
  private static final Signal SERVER_ERROR =
      Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
  private static final CallOptions READ =
      CallOptions.DEFAULTS.repeatable().withFailures(Signals::failed);

  /** A call that takes ten seconds of simulated time. */
  private static Call<String, IOException> slow(Time time) {
    return permit -> {
      time.sleep(Duration.ofSeconds(10));
      return new Call.Reply<>("done", Signal.success());
    };
  }

  private static CircuitState circuit(Gate gate) {
    return gate.statistics().lanes().getFirst().circuit();
  }

  @Test
  void five_cancelled_calls_on_a_healthy_service_leave_its_circuit_closed() {
    SimulatedTime.run(
        1,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(5))).build();
          List<CompletableFuture<String>> calls = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            calls.add(gate.callAsync(RUN, READ, slow(time)));
          }
          time.sleep(SECOND);
          calls.forEach(call -> call.cancel(true));
          time.sleep(SECOND);
          assertThat(circuit(gate)).isEqualTo(CircuitState.CLOSED);
          assertThat(gate.statistics().inFlight()).as("slots are free again").isZero();
          assertThat(gate.statistics().granted()).as("what was sent stays counted").isEqualTo(5);
        });
  }

  @Test
  void five_interrupted_callers_leave_the_circuit_closed() {
    SimulatedTime.run(
        2,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(5))).build();
          List<Time.Task> callers = new ArrayList<>();
          for (int i = 0; i < 5; i++) {
            callers.add(
                time.start(
                    "caller " + i,
                    () -> {
                      try {
                        gate.call(RUN, READ, slow(time));
                        throw new AssertionError("not interrupted");
                      } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                      } catch (IOException e) {
                        throw new AssertionError(e);
                      }
                    }));
          }
          time.sleep(SECOND);
          callers.forEach(Time.Task::interrupt);
          Gates.joinAll(callers);
          assertThat(circuit(gate)).isEqualTo(CircuitState.CLOSED);
        });
  }

  @Test
  void eight_calls_that_a_timer_ended_after_they_were_sent_open_the_circuit() {
    SimulatedTime.run(
        3,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(8))).build();
          List<CompletableFuture<String>> calls = new ArrayList<>();
          for (int i = 0; i < 8; i++) {
            calls.add(gate.callAsync(RUN, READ, slow(time)));
          }
          time.sleep(SECOND);
          calls.forEach(call -> call.completeExceptionally(new TimeoutException("orTimeout")));
          time.sleep(SECOND);
          assertThat(circuit(gate)).isEqualTo(CircuitState.OPEN);
        });
  }

  @Test
  void a_timeout_is_told_although_its_retry_would_come_too_late_for_the_caller() {
    for (int seed = 0; seed < 20; seed++) {
      int number = seed;
      SimulatedTime.run(
          seed,
          time -> {
            Gate gate = on(time).lane("a", slots(1)).random(new SplittableRandom(number)).build();
            CallOptions hasty = READ.withAsk(Ask.plain().within(Duration.ofMillis(300)));
            assertThatThrownBy(
                    () ->
                        gate.<String, IOException>call(
                            RUN,
                            hasty,
                            permit -> {
                              time.sleep(Duration.ofMillis(200));
                              throw new HttpTimeoutException("request timed out");
                            }))
                .isInstanceOf(HttpTimeoutException.class);
          });
    }
  }

  @Test
  void retry_after_on_a_500_delays_that_request_and_nobody_else() {
    SimulatedTime.run(
        5,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          List<Double> sent = new ArrayList<>();
          Call<String, IOException> failing =
              permit -> {
                sent.add(seconds(time));
                Answer answer =
                    Answer.of(
                        sent.size() == 1 ? 500 : 200,
                        sent.size() == 1 ? Map.of("Retry-After", List.of("30")) : Map.of(),
                        Instant.EPOCH);
                return new Call.Reply<>("answer", Signals.builder().build().read(answer).signal());
              };
          CompletableFuture<String> call = gate.callAsync(RUN, READ, failing);
          time.sleep(SECOND);
          assertThat(gate.statistics().throttledConnections()).as("the lane is held").isZero();
          String other = gate.call(RUN, permit -> new Call.Reply<>("other", Signal.success()));
          assertThat(other).isEqualTo("other");
          assertThat(seconds(time)).as("nobody else waits").isEqualTo(1);
          time.sleep(Duration.ofMinutes(1));
          assertThat(call).isCompletedWithValue("answer");
          assertThat(sent).containsExactly(0.0, 30.0);
        });
  }

  private static double backoff(Time time, Gate gate) throws Exception {
    double began = seconds(time);
    AtomicInteger attempts = new AtomicInteger();
    gate.<String, IOException>call(
        RUN,
        READ,
        permit -> {
          if (attempts.getAndIncrement() == 0) {
            throw new IOException("reset");
          }
          return new Call.Reply<>("done", Signal.success());
        });
    return seconds(time) - began;
  }

  @Test
  void backoff_starts_at_200_ms_while_four_of_five_calls_succeed_and_at_1_s_otherwise() {
    List<Double> unknown = new ArrayList<>();
    List<Double> well = new ArrayList<>();
    List<Double> unwell = new ArrayList<>();
    for (int seed = 0; seed < 30; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SimulatedTime.run(
          seed,
          time -> {
            Gate gate = on(time).lane("a", slots(1)).random(random).build();
            unknown.add(backoff(time, gate));
            for (int i = 0; i < 19; i++) {
              answer(gate, i % 6 == 3 ? SERVER_ERROR : Signal.success());
            }
            well.add(backoff(time, gate)); // with its own failure, 16 of 20 have succeeded
            answer(gate, SERVER_ERROR);
            unwell.add(backoff(time, gate)); // 15 of 20
          });
    }
    assertThat(Collections.max(unknown)).isBetween(0.8, 1.0);
    assertThat(Collections.max(well)).isBetween(0.16, 0.2);
    assertThat(Collections.max(unwell)).isBetween(0.8, 1.0);
    assertThat(Collections.min(unknown)).as("full jitter").isLessThan(0.2);
  }

  private static void answer(Gate gate, Signal signal) throws InterruptedException {
    String unused = gate.call(RUN, permit -> new Call.Reply<>("answer", signal));
  }

  @Test
  void too_many_concurrent_streams_costs_slots_and_neither_tokens_nor_the_circuit() {
    SimulatedTime.run(
        7,
        time -> {
          LaneOptions adaptive =
              LaneOptions.of(now -> new AimdPolicy(AdaptiveRateOptions.DEFAULTS, () -> 50, now));
          Gate gate = on(time).lane("a", fragile(adaptive)).build();
          int before = gate.statistics().lanes().getFirst().parallelism();
          RetryBudget budget = new RetryBudget(10, 0);
          List<CompletableFuture<String>> calls = new ArrayList<>();
          AtomicInteger sent = new AtomicInteger();
          for (int i = 0; i < 3; i++) {
            calls.add(
                gate.callAsync(
                    RUN.withRetryBudget(budget),
                    CallOptions.DEFAULTS.withFailures(Signals::failed),
                    permit -> {
                      if (sent.getAndIncrement() < 3) {
                        throw new IOException("too many concurrent streams");
                      }
                      return new Call.Reply<>("done", Signal.success());
                    }));
          }
          time.sleep(Duration.ofMillis(50));
          assertThat(gate.statistics().lanes().getFirst().parallelism()).isLessThan(before);
          time.sleep(SECOND);
          assertThat(calls).allSatisfy(call -> assertThat(call).isCompletedWithValue("done"));
          assertThat(budget.tokens()).isEqualTo(10);
          assertThat(circuit(gate)).isEqualTo(CircuitState.CLOSED);
        });
  }

  /**
   * A service that answers as it is told, then with success, and what was done with its answers.
   */
  private static final class Script implements Call<String, IOException> {
    private final Time time;
    private final Deque<Reply<String>> replies = new ArrayDeque<>();
    private final List<Double> sent = new ArrayList<>();
    private final List<String> discarded = new ArrayList<>();
    private int renewals;
    private int retried;

    Script(Time time) {
      this.time = time;
    }

    Script then(Signal signal, Reach reach) {
      replies.add(new Reply<>(signal.getClass().getSimpleName(), signal).reaching(reach));
      return this;
    }

    Script then(Signal signal) {
      return then(signal, Reach.PROVIDER);
    }

    @Override
    public Reply<String> send(Permit permit) {
      sent.add(seconds(time));
      Reply<String> next = replies.poll();
      return next != null ? next : new Reply<>("done", Signal.success());
    }

    @Override
    public boolean renew() {
      renewals++;
      return true;
    }

    @Override
    public void retrying() {
      retried++;
    }

    @Override
    public void discard(String value) {
      discarded.add(value);
    }
  }

  private static Signal throttled(int seconds) {
    return Signal.throttled(Duration.ofSeconds(seconds));
  }

  private static Refusal refusal(ThrowingCallable code) {
    return catchThrowableOfType(RefusedException.class, code).refusal();
  }

  @Test
  void an_open_circuit_is_waited_for_as_often_as_the_call_may() {
    SimulatedTime.run(
        8,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          Script patient = new Script(time);
          Gates.fail(gate, 1);
          for (int i = 0; i < 3; i++) {
            patient.then(SERVER_ERROR);
          }
          assertThat(gate.call(RUN, READ.withReopenings(3), patient)).isEqualTo("done");
          assertThat(patient.sent).containsExactly(0.0, 10.0, 20.0, 30.0);

          Gates.fail(gate, 2);
          Script never = new Script(time);
          for (int i = 0; i < 100; i++) {
            never.then(SERVER_ERROR);
          }
          assertThat(refusal(() -> gate.call(RUN, READ.withReopenings(2), never)))
              .isInstanceOf(Refusal.CircuitOpen.class);
          assertThat(never.sent).containsExactly(40.0, 50.0);
        });
  }

  @Test
  void an_open_circuit_is_not_waited_for_longer_than_the_run_or_the_call_may() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          Gates.fail(gate, 2);
          CallOptions patient = READ.withReopenings(8);
          Run hasty = RUN.withLongestHold(Duration.ofSeconds(9));
          Run brief =
              Run.within(
                  "brief", RunBudget.of(OptionalLong.empty(), Optional.of(Duration.ofSeconds(9))));
          Script service = new Script(time);
          for (ThrowingCallable call :
              List.<ThrowingCallable>of(
                  () -> gate.call(hasty, patient, service),
                  () -> gate.call(brief, patient, service),
                  () -> gate.call(RUN, patient.withDeadline(Duration.ofSeconds(9)), service),
                  () -> gate.call(RUN, READ, service))) {
            assertThat(refusal(call)).isInstanceOf(Refusal.CircuitOpen.class);
          }
          assertThat(seconds(time)).as("told at once").isZero();
          assertThat(service.sent).isEmpty();
        });
  }

  @Test
  void behind_an_open_circuit_a_told_wait_is_not_sat_out_for_longer_than_the_run_may() {
    SimulatedTime.run(
        9,
        time -> {
          Gate gate = on(time).lane("a", fragile(slots(2))).build();
          Gates.fail(gate, 1);
          Answer anHour = Answer.of(500, Map.of("Retry-After", List.of("3600")), Instant.EPOCH);
          Script service = new Script(time).then(Signals.builder().build().read(anHour).signal());
          Run hasty = RUN.withLongestHold(Duration.ofMinutes(2));
          assertThat(refusal(() -> gate.call(hasty, READ.withReopenings(8), service)))
              .isInstanceOf(Refusal.CircuitOpen.class);
          assertThat(seconds(time)).as("told at once").isZero();
        });
  }

  @Test
  void a_throttle_of_one_object_lets_that_call_alone_wait() {
    SimulatedTime.run(
        10,
        time -> {
          Gate gate = on(time).lane("a", slots(2)).build();
          Script one = new Script(time).then(throttled(30), Reach.OBJECT);
          CompletableFuture<String> call = gate.callAsync(RUN, READ.withRoute("orders"), one);
          time.sleep(SECOND);
          Script other = new Script(time);
          assertThat(gate.call(RUN, READ.withRoute("orders"), other)).isEqualTo("done");
          assertThat(other.sent).containsExactly(1.0);
          assertThat(gate.statistics().totalThrottleEvents()).isZero();
          time.sleep(Duration.ofMinutes(1));
          assertThat(call).isCompletedWithValue("done");
          assertThat(one.sent).containsExactly(0.0, 30.0);
        });
  }

  @Test
  void a_throttle_of_a_route_holds_the_calls_of_that_route_alone() {
    SimulatedTime.run(
        11,
        time -> {
          Gate gate = on(time).lane("a", slots(3)).build();
          Script one = new Script(time).then(throttled(30), Reach.ROUTE);
          Script same = new Script(time);
          Script other = new Script(time);
          CompletableFuture<String> first = gate.callAsync(RUN, READ.withRoute("orders"), one);
          time.sleep(SECOND);
          CompletableFuture<String> second = gate.callAsync(RUN, READ.withRoute("orders"), same);
          assertThat(gate.call(RUN, READ.withRoute("items"), other)).isEqualTo("done");
          assertThat(other.sent).containsExactly(1.0);
          assertThat(gate.routeHeld("orders")).isEqualTo(Duration.ofSeconds(29));
          time.sleep(Duration.ofMinutes(1));
          assertThat(first).isCompletedWithValue("done");
          assertThat(second).isCompletedWithValue("done");
          assertThat(one.sent).containsExactly(0.0, 30.0);
          assertThat(same.sent).containsExactly(30.0);
          assertThat(gate.routeHeld("orders")).isZero();
        });
  }

  @Test
  void a_route_that_nobody_names_is_the_whole_lane() {
    SimulatedTime.run(
        12,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Script service = new Script(time).then(throttled(30), Reach.ROUTE);
          assertThat(gate.call(RUN, READ, service)).isEqualTo("done");
          assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(1);
        });
  }

  @Test
  void what_is_held_alone_for_longer_than_the_run_waits_is_postponed_and_the_lane_stays_free() {
    SimulatedTime.run(
        13,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run hasty = RUN.withLongestHold(Duration.ofSeconds(10));
          Instant until = time.instant().plusSeconds(30);
          Script told = new Script(time).then(throttled(30), Reach.ROUTE);
          CallOptions orders = READ.withRoute("orders");
          assertThat(refusal(() -> gate.call(hasty, orders, told)))
              .isEqualTo(new Refusal.Postponed(until, true));
          assertThat(told.discarded).containsExactly("Throttled");
          Script standing = new Script(time);
          assertThat(refusal(() -> gate.call(hasty, orders, standing)))
              .isEqualTo(new Refusal.Postponed(until, false));
          assertThat(standing.sent).isEmpty();
          assertThat(gate.call(hasty, READ, new Script(time))).isEqualTo("done");
        });
  }

  @Test
  void an_object_that_stays_throttled_is_postponed_after_max_throttle_retries() {
    SimulatedTime.run(
        14,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          RetryBudget budget = new RetryBudget(10, 0);
          Script service = new Script(time);
          for (int i = 0; i < 10; i++) {
            service.then(throttled(10), Reach.OBJECT);
          }
          assertThat(refusal(() -> gate.call(RUN.withRetryBudget(budget), READ, service)))
              .isEqualTo(new Refusal.Postponed(time.instant().plusSeconds(10), true));
          assertThat(service.sent).containsExactly(0.0, 10.0, 20.0, 30.0);
          assertThat(budget.tokens()).isEqualTo(7);
        });
  }

  @Test
  void a_call_that_must_not_be_sent_yet_gives_its_permit_back_and_waits_again() {
    SimulatedTime.run(
        15,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Run capped = Run.within("capped", RunBudget.of(OptionalLong.of(1), Optional.empty()));
          List<Double> asked = new ArrayList<>();
          String value =
              gate.<String, IOException>call(
                  capped,
                  READ,
                  permit -> {
                    asked.add(seconds(time));
                    if (asked.size() == 1) {
                      gate.hold("a", Duration.ofSeconds(5));
                      return Call.Reply.notYet();
                    }
                    return new Call.Reply<>("done", Signal.success());
                  });
          assertThat(value).isEqualTo("done");
          assertThat(asked).containsExactly(0.0, 5.0);
        });
  }

  @Test
  void a_deadline_covers_all_attempts_and_the_last_answer_is_told() {
    SimulatedTime.run(
        16,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          CallOptions brief =
              READ.withRetries(new RetryOptions(3, 1000, true)).withDeadline(Duration.ofSeconds(5));
          Script failing = new Script(time);
          for (int i = 0; i < 1000; i++) {
            failing.then(SERVER_ERROR);
          }
          assertThat(gate.call(RUN, brief, failing)).isEqualTo("Transient");
          assertThat(seconds(time)).isLessThan(5);
          assertThat(failing.sent).hasSizeGreaterThan(1);
          assertThat(failing.discarded).hasSize(failing.sent.size() - 1);

          double began = seconds(time);
          assertThatThrownBy(() -> gate.call(RUN, brief, new Script(time).then(throttled(6))))
              .isInstanceOf(ServiceProtectionException.class);
          assertThat(seconds(time)).as("told at once").isEqualTo(began);
        });
  }

  @Test
  void refused_credentials_are_renewed_once_at_once_and_free_of_charge() {
    Signal unauthorized = Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED);
    SimulatedTime.run(
        17,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          RetryBudget budget = new RetryBudget(10, 0);
          Run run = RUN.withRetryBudget(budget);
          Script service = new Script(time).then(unauthorized);
          assertThat(gate.call(run, CallOptions.DEFAULTS, service)).isEqualTo("done");
          assertThat(service.sent).containsExactly(0.0, 0.0);
          assertThat(budget.tokens()).isEqualTo(10);

          Script wrong = new Script(time).then(unauthorized).then(unauthorized);
          assertThat(gate.call(run, CallOptions.DEFAULTS, wrong)).isEqualTo("Rejected");
          assertThat(wrong.renewals).isEqualTo(1);
          assertThat(gate.statistics().lanes().getFirst().stopped()).isEmpty();

          Script again = new Script(time).then(unauthorized).then(unauthorized);
          assertThat(gate.call(run, CallOptions.DEFAULTS.stoppingUnauthorized(), again))
              .isEqualTo("Rejected");
          assertThat(gate.statistics().lanes().getFirst().stopped())
              .contains(Signal.Stopped.Reason.AUTH_FAILURE);
        });
  }

  @Test
  void each_lane_of_a_pool_may_have_its_credentials_renewed() {
    Signal unauthorized = Signal.rejected(Signal.Rejected.Kind.UNAUTHORIZED);
    SimulatedTime.run(
        18,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).lane("b", slots(1)).build();
          List<String> lanes = new ArrayList<>();
          Call<String, IOException> both =
              new Call<>() {
                @Override
                public Reply<String> send(Permit permit) {
                  boolean stale = !lanes.contains(permit.lane());
                  lanes.add(permit.lane());
                  return new Reply<>("answer", stale ? unauthorized : Signal.success());
                }

                @Override
                public boolean renew() {
                  return true;
                }
              };
          assertThat(gate.call(RUN, CallOptions.DEFAULTS.stoppingUnauthorized(), both))
              .isEqualTo("answer");
          assertThat(gate.statistics().lanes())
              .allSatisfy(lane -> assertThat(lane.stopped()).isEmpty());
        });
  }

  @Test
  void an_answer_that_was_throttled_in_part_ends_the_call_and_holds_the_lane() {
    SimulatedTime.run(
        19,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          String value =
              gate.<String, IOException>call(
                  RUN,
                  CallOptions.DEFAULTS,
                  permit -> new Call.Reply<>("half", throttled(30)).throttledInPart());
          assertThat(value).isEqualTo("half");
          assertThat(gate.statistics().totalThrottleEvents()).isEqualTo(1);
          assertThat(gate.throttleTracker().isThrottled("a")).isTrue();
        });
  }

  @Test
  void every_answer_that_nobody_gets_is_discarded_once() {
    SimulatedTime.run(
        20,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Script service = new Script(time).then(SERVER_ERROR).then(throttled(1));
          assertThat(gate.call(RUN, READ, service)).isEqualTo("done");
          assertThat(service.discarded).containsExactly("Transient", "Throttled");
          assertThat(service.retried).isEqualTo(2);

          Script hopeless = new Script(time).then(throttled(1));
          CallOptions once = READ.withRetries(new RetryOptions(0, 1, true));
          assertThatThrownBy(() -> gate.call(RUN, once, hopeless))
              .isInstanceOf(ServiceProtectionException.class);
          assertThat(hopeless.discarded).containsExactly("Throttled");

          List<String> late = new ArrayList<>();
          Call<String, IOException> deaf =
              new Call<>() {
                @Override
                public Reply<String> send(Permit permit) {
                  try {
                    time.sleep(Duration.ofMinutes(1));
                  } catch (InterruptedException e) {
                    late.add("interrupted");
                  }
                  return new Reply<>("late", Signal.success());
                }

                @Override
                public void discard(String value) {
                  late.add(value);
                }
              };
          CompletableFuture<String> cancelled = gate.callAsync(RUN, READ, deaf);
          time.sleep(Duration.ofSeconds(2));
          cancelled.cancel(true);
          time.sleep(SECOND);
          assertThat(late).containsExactly("interrupted", "late");
        });
  }

  @Test
  void a_call_that_nobody_wants_any_more_is_not_sent_again() {
    SimulatedTime.run(
        21,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          RetryBudget budget = new RetryBudget(10, 0);
          List<Double> sent = new ArrayList<>();
          Call<String, IOException> unwanted =
              new Call<>() {
                @Override
                public Reply<String> send(Permit permit) {
                  sent.add(seconds(time));
                  return new Reply<>("answer", SERVER_ERROR);
                }

                @Override
                public void retrying() throws InterruptedException {
                  throw new InterruptedException("cancelled");
                }
              };
          assertThatThrownBy(() -> gate.call(RUN.withRetryBudget(budget), READ, unwanted))
              .isInstanceOf(InterruptedException.class);
          assertThat(sent).hasSize(1);
          assertThat(budget.tokens()).as("the retry was not made").isEqualTo(10);
          assertThat(gate.statistics().inFlight()).isZero();
        });
  }

  @Test
  void a_wait_told_with_a_500_that_is_too_long_for_the_run_ends_the_call_with_that_answer() {
    SimulatedTime.run(
        22,
        time -> {
          Gate gate = on(time).lane("a", slots(1)).build();
          Signal signal =
              Signals.builder()
                  .build()
                  .read(Answer.of(500, Map.of("Retry-After", List.of("3600")), Instant.EPOCH))
                  .signal();
          Run hasty = RUN.withLongestHold(Duration.ofSeconds(10));
          assertThat(gate.call(hasty, READ, new Script(time).then(signal))).isEqualTo("Transient");
          assertThat(seconds(time)).isZero();
        });
  }
}
