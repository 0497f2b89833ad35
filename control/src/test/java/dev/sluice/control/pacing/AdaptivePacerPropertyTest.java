package dev.sluice.control.pacing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.sluice.control.signal.QuotaHint;
import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds always, over random histories of sends, answers, pauses and abandoned requests. */
class AdaptivePacerPropertyTest {

  static LongStream seeds() {
    return LongStream.range(0, 40 * Integer.getInteger("sluice.seeds", 1));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void no_span_sees_more_than_the_smallest_interval_in_force_allows(long seed) {
    History history = new History(seed);
    history.play(2_000);
    List<Step> sends = history.sends;
    for (int first = 0; first < sends.size(); first++) {
      long smallestSoFar = Long.MAX_VALUE;
      for (int last = first; last < Math.min(sends.size(), first + 200); last++) {
        long smallest = Math.min(smallestSoFar, sends.get(last).interval);
        smallestSoFar = Math.min(smallestSoFar, sends.get(last).smallestUntilNext);
        long span = sends.get(last).at - sends.get(first).at;
        // floor((span + L) / I) + 1 with L = (burst - 1) * I
        long bound = span / smallest + history.options.burst();
        if (last - first + 1 > bound) {
          fail("seed %d: sends %d to %d exceed %d".formatted(seed, first, last, bound));
        }
      }
    }
    assertThat(sends.size()).as("seed %d", seed).isGreaterThan(200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void an_error_never_shortens_the_delay_and_never_raises_the_rate(long seed) {
    History history = new History(seed);
    history.onSettle =
        (signal, rateBefore, earliestBefore) -> {
          if (!(signal instanceof Signal.Success)) {
            assertThat(history.pacer.rate())
                .as("seed %d: rate after %s", seed, signal)
                .isLessThanOrEqualTo(rateBefore);
            assertThat(history.pacer.earliest(history.now) - earliestBefore)
                .as("seed %d: delay after %s", seed, signal)
                .isGreaterThanOrEqualTo(0);
          }
        };
    history.play(2_000);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void the_rate_stays_between_floor_and_ceiling_and_at_most_doubles(long seed) {
    History history = new History(seed);
    history.onSettle =
        (signal, rateBefore, earliestBefore) ->
            assertThat(history.pacer.rate())
                .as("seed %d", seed)
                .isBetween(history.options.floor(), Math.min(2 * rateBefore, history.ceiling()));
    history.play(2_000);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void an_episode_of_throttles_decreases_once(long seed) {
    Random random = new Random(seed);
    AdaptivePacer pacer =
        new AdaptivePacer(
            PacerOptions.DEFAULTS, new WarmStart(100, 0), random.nextLong(-1_000_000, 1_000_000));
    long now = 1_000_000;
    for (int episode = 1; episode <= 5; episode++) {
      long[] sent = new long[random.nextInt(1, 50)];
      for (int i = 0; i < sent.length; i++) {
        now += random.nextLong(5_000_000);
        pacer.sent(now);
        sent[i] = now;
      }
      double before = pacer.rate();
      for (long at : sent) {
        now += random.nextLong(1_000_000) + 1;
        pacer.settled(at, Signal.throttled(), now);
      }
      now++;
      assertThat(pacer.episodes()).as("seed %d", seed).isEqualTo(episode);
      assertThat(pacer.rate()).as("seed %d", seed).isEqualTo(before * 0.7);
      pacer.sent(now);
      pacer.settled(now, Signal.success(), now + 1); // ends the episode
      now += 2;
    }
  }

  @FunctionalInterface
  private interface Watcher {
    void settled(Signal signal, double rateBefore, long earliestBefore);
  }

  private static final class Step {
    final long at;
    final long interval;
    long smallestUntilNext;

    Step(long at, long interval) {
      this.at = at;
      this.interval = interval;
      this.smallestUntilNext = interval;
    }
  }

  /** Sends as early as it may, or later; answers come in any order, up to 8 in flight. */
  private static final class History {
    private final Random random;
    final PacerOptions options;
    final AdaptivePacer pacer;
    final List<Step> sends = new ArrayList<>();
    private final List<Long> inFlight = new ArrayList<>();
    Watcher onSettle = (signal, rateBefore, earliestBefore) -> {};
    long now;

    History(long seed) {
      random = new Random(seed);
      PacerOptions.Builder builder =
          PacerOptions.builder()
              .floor(0.5)
              .coldStart(random.nextDouble(0.5, 50))
              .increase(random.nextDouble(0.1, 20))
              .slowDownWindow(random.nextInt(3, 20))
              .burst(random.nextBoolean() ? 1 : random.nextInt(1, 8));
      if (random.nextBoolean()) {
        builder.ceiling(random.nextDouble(1, 200));
      }
      options = builder.build();
      now = random.nextLong();
      pacer =
          new AdaptivePacer(options, random.nextBoolean() ? new WarmStart(20, now - 1) : null, now);
    }

    double ceiling() {
      return options.ceiling().orElse(Double.MAX_VALUE);
    }

    void play(int steps) {
      for (int i = 0; i < steps; i++) {
        if (inFlight.size() < 8 && random.nextInt(5) < 3) {
          send();
        } else if (!inFlight.isEmpty()) {
          answer();
        }
      }
    }

    private void send() {
      now = pacer.earliest(now);
      if (random.nextInt(4) == 0) {
        now += Demand.pause(random, pacer.interval());
      }
      pacer.sent(now);
      inFlight.add(now);
      sends.add(new Step(now, pacer.interval()));
      if (random.nextInt(10) == 0) {
        inFlight.removeLast();
        abandon(now);
      }
    }

    private void answer() {
      long sentAt = inFlight.remove(random.nextInt(inFlight.size()));
      now += random.nextLong(1 + pacer.interval() / 2);
      if (random.nextInt(10) == 0) {
        abandon(sentAt);
        return;
      }
      double rateBefore = pacer.rate();
      long earliestBefore = pacer.earliest(now);
      Signal signal = signal();
      pacer.settled(sentAt, signal, now);
      if (!sends.isEmpty()) {
        Step last = sends.getLast();
        last.smallestUntilNext = Math.min(last.smallestUntilNext, pacer.interval());
      }
      onSettle.settled(signal, rateBefore, earliestBefore);
    }

    /** Late, and perhaps although others were sent after it: as if it had never been sent. */
    private void abandon(long sentAt) {
      pacer.unsent(sentAt);
      for (int i = sends.size() - 1; i >= 0; i--) {
        if (sends.get(i).at == sentAt) {
          Step gone = sends.remove(i);
          if (i > 0) {
            Step before = sends.get(i - 1);
            before.smallestUntilNext = Math.min(before.smallestUntilNext, gone.smallestUntilNext);
          }
          return;
        }
      }
    }

    private Signal signal() {
      List<QuotaHint> quota = random.nextInt(20) == 0 ? List.of(hint()) : List.of();
      return switch (random.nextInt(20)) {
        case 0 -> new Signal.Throttled(Optional.empty(), Signal.Facet.UNKNOWN, "", quota);
        case 1 ->
            new Signal.Throttled(
                Optional.of(Duration.ofSeconds(5)), Signal.Facet.REQUESTS, "", quota);
        case 2 -> new Signal.Transient(Signal.Transient.Kind.SERVER_ERROR, quota);
        case 3 -> new Signal.Rejected(Signal.Rejected.Kind.NOT_FOUND, quota);
        case 4 -> new Signal.Answered(Signal.Answered.Kind.DEADLOCK, quota);
        case 5 -> new Signal.Stopped(Signal.Stopped.Reason.SUSPENDED, quota);
        default -> new Signal.Success(random.nextLong(1_000_000_000), quota);
      };
    }

    private QuotaHint hint() {
      long limit = random.nextLong(1, 1_000);
      return new QuotaHint(
          OptionalLong.of(limit),
          random.nextBoolean() ? OptionalLong.of(random.nextLong(limit + 1)) : OptionalLong.empty(),
          random.nextBoolean()
              ? Optional.of(Duration.ofMillis(random.nextInt(5_000)))
              : Optional.empty(),
          random.nextBoolean()
              ? Optional.of(Duration.ofMillis(random.nextInt(1, 60_000)))
              : Optional.empty(),
          Optional.empty(),
          new QuotaHint.Scope(Reach.CREDENTIAL, "", Unit.REQUESTS, "test"));
    }
  }
}
