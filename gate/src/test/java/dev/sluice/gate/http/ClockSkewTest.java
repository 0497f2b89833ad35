package dev.sluice.gate.http;

import static dev.sluice.gate.http.Answers.NOW;
import static dev.sluice.gate.http.Answers.answerAt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.signal.Signal.Throttled;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ClockSkewTest {
  private final ClockSkew skew = new ClockSkew();

  @Test
  void n4_the_median_of_the_last_15_samples_counts() {
    for (int i = 0; i < 15; i++) {
      observe(100);
    }
    for (int i = 0; i < 7; i++) {
      observe(-3000);
    }
    assertThat(skewSeconds()).isEqualTo(100);
    observe(-3000);
    assertThat(skewSeconds()).isEqualTo(-3000);
  }

  @Test
  void n4_one_odd_sample_does_not_decide() {
    observe(60);
    observe(7200);
    observe(61);
    assertThat(skewSeconds()).isEqualTo(61);
  }

  @Test
  void n4_a_long_round_trip_or_a_day_of_skew_is_no_sample() {
    skew.observe(TimeUnit.SECONDS.toNanos(500), TimeUnit.SECONDS.toNanos(10));
    skew.observe(TimeUnit.HOURS.toNanos(24), 0);
    skew.observe(-TimeUnit.HOURS.toNanos(24), 0);
    assertThat(skew.nanos()).isZero();
    skew.observe(TimeUnit.SECONDS.toNanos(500), TimeUnit.SECONDS.toNanos(10) - 1);
    assertThat(skewSeconds()).isEqualTo(500);
  }

  @Test
  void n4_less_than_two_seconds_is_the_resolution_of_the_date_header() {
    skew.observe(TimeUnit.MILLISECONDS.toNanos(1999), 0);
    assertThat(skew.nanos()).isZero();
    observe(-2);
    observe(-2);
    assertThat(skewSeconds()).isEqualTo(-2);
  }

  @Test
  void n4_a_time_is_read_by_the_services_clock_and_a_large_skew_is_told() {
    Reading reading =
        read("Date: Thu, 15 Jan 2026 13:00:00 GMT", "Retry-After: Thu, 15 Jan 2026 13:00:30 GMT");
    // The date is compared with the middle of the round trip, 50 ms before receipt.
    assertThat(wait(reading)).isEqualTo(Duration.ofMillis(29_950));
    assertThat(reading.flags()).containsExactly(Flag.CLOCK_SKEW);
  }

  @Test
  void n4_a_skew_up_to_thirty_seconds_is_corrected_and_not_told() {
    Reading reading =
        read("Date: Thu, 15 Jan 2026 12:00:20 GMT", "Retry-After: Thu, 15 Jan 2026 12:00:30 GMT");
    assertThat(wait(reading)).isEqualTo(Duration.ofMillis(9_950));
    assertThat(reading.flags()).isEmpty();
  }

  @Test
  void n4_a_skewed_clock_does_not_matter_to_a_wait_in_seconds() {
    Reading reading = read("Date: Thu, 15 Jan 2026 13:00:00 GMT", "Retry-After: 30");
    assertThat(wait(reading)).isEqualTo(Duration.ofSeconds(30));
    assertThat(reading.flags()).isEmpty();
  }

  @Test
  void n4_a_cached_answer_is_no_sample() {
    Signals signals = Signals.builder().build();
    Reading cached =
        signals.read(Answers.answer(200, "Age: 5", "Date: Thu, 15 Jan 2026 13:00:00 GMT"));
    Reading fresh = signals.read(Answers.answer(429, "Retry-After: Thu, 15 Jan 2026 12:00:30 GMT"));
    assertThat(cached.flags()).containsExactly(Flag.FROM_CACHE);
    assertThat(wait(fresh)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void n4_where_nobody_knows_when_the_request_was_sent_an_answers_own_date_serves_it_alone() {
    Signals signals = Signals.builder().build();
    Reading own =
        signals.read(
            answerAt(
                NOW,
                429,
                "Date: Thu, 15 Jan 2026 11:00:00 GMT",
                "Retry-After: Thu, 15 Jan 2026 11:00:30 GMT"));
    Reading next = signals.read(answerAt(NOW, 429, "Retry-After: Thu, 15 Jan 2026 12:00:30 GMT"));
    assertThat(wait(own)).isEqualTo(Duration.ofSeconds(30));
    assertThat(wait(next)).isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void n4_a_date_that_cannot_be_believed_is_told_with_the_time_it_spoils() {
    Reading reading =
        read("Date: Thu, 15 Jan 2015 12:00:00 GMT", "Retry-After: Thu, 15 Jan 2026 12:00:30 GMT");
    assertThat(wait(reading)).isEqualTo(Duration.ofSeconds(30));
    assertThat(reading.flags()).containsExactly(Flag.CLOCK_SKEW);
  }

  private static Reading read(String... headers) {
    return Answers.read(429, headers);
  }

  private static Duration wait(Reading reading) {
    return ((Throttled) reading.signal()).retryAfter().orElseThrow();
  }

  private void observe(long seconds) {
    skew.observe(TimeUnit.SECONDS.toNanos(seconds), 0);
  }

  private long skewSeconds() {
    return TimeUnit.NANOSECONDS.toSeconds(skew.nanos());
  }
}
