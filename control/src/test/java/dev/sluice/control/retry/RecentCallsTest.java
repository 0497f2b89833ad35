package dev.sluice.control.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal;
import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecentCallsTest {
  private final RecentCalls recent = new RecentCalls();

  private void ended(int times, boolean success) {
    for (int i = 0; i < times; i++) {
      long unused = recent.ended(success);
    }
  }

  @Test
  void most_calls_succeed_from_16_of_the_last_20_on() {
    assertThat(recent.mostSucceed()).isFalse();
    ended(15, true);
    assertThat(recent.mostSucceed()).isFalse();
    ended(1, true);
    assertThat(recent.mostSucceed()).isTrue();
    ended(4, false);
    assertThat(recent.mostSucceed()).as("16 of 20").isTrue();
    ended(1, false);
    assertThat(recent.mostSucceed()).as("15 of 20").isFalse();
    ended(20, true);
    assertThat(recent.mostSucceed()).isTrue();
  }

  @Test
  void a_call_that_succeeds_after_a_failure_counts_as_a_success() {
    ended(15, true);
    long call = recent.ended(false);
    assertThat(recent.mostSucceed()).isFalse();
    recent.corrected(call, true);
    assertThat(recent.mostSucceed()).isTrue();
    recent.corrected(call, true);
    ended(4, false);
    assertThat(recent.mostSucceed()).as("counted once").isTrue();
  }

  @Test
  void a_call_that_20_others_have_followed_changes_nothing_any_more() {
    long call = recent.ended(false);
    ended(16, true);
    ended(4, false);
    recent.corrected(call, true);
    ended(0, true);
    assertThat(recent.mostSucceed()).isTrue();
    recent.corrected(call, false);
    assertThat(recent.mostSucceed()).isTrue();
  }

  @Test
  void throttles_stops_and_cancelled_attempts_say_nothing_about_recent_calls() {
    ended(16, true);
    for (int i = 0; i < 20; i++) {
      long place = recent.settled(RecentCalls.NO_PLACE, Signal.throttled());
      place = recent.settled(place, Signal.CANCELLED);
      place = recent.settled(place, Signal.stopped(Signal.Stopped.Reason.SUSPENDED));
      assertThat(place).isEqualTo(RecentCalls.NO_PLACE);
    }
    assertThat(recent.mostSucceed()).isTrue();
  }

  @Test
  void a_call_keeps_the_place_of_its_first_attempt() {
    ended(15, true);
    Signal failure = Signal.transientFailure(Signal.Transient.Kind.SERVER_ERROR);
    long place = recent.settled(RecentCalls.NO_PLACE, failure);
    assertThat(recent.mostSucceed()).isFalse();
    assertThat(recent.settled(place, Signal.rejected(Signal.Rejected.Kind.NOT_FOUND)))
        .as("an answer about the request alone is a success of the service")
        .isEqualTo(place);
    assertThat(recent.mostSucceed()).isTrue();
  }

  @Test
  void back_off_is_five_times_shorter_while_most_calls_succeed() {
    Backoff backoff = new Backoff(new Random(1), recent);
    assertThat(longest(backoff, 0)).isBetween(Duration.ofMillis(900), Duration.ofSeconds(1));
    ended(20, true);
    assertThat(longest(backoff, 0)).isBetween(Duration.ofMillis(180), Duration.ofMillis(200));
    assertThat(longest(backoff, 2)).isBetween(Duration.ofMillis(720), Duration.ofMillis(800));
    assertThat(longest(backoff, 50)).isBetween(Duration.ofSeconds(54), Duration.ofSeconds(60));
  }

  private static Duration longest(Backoff backoff, int attempt) {
    return Duration.ofNanos(
        LongStream.generate(() -> backoff.nanos(attempt)).limit(500).max().orElseThrow());
  }
}
