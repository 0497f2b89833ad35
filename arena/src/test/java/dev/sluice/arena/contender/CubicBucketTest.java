package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Rule;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.retries.internal.ratelimiter.RateLimiterTokenBucket;
import software.amazon.awssdk.retries.internal.ratelimiter.RateLimiterTokenBucketStore;
import software.amazon.awssdk.retries.internal.ratelimiter.RateLimiterUpdateResponse;

class CubicBucketTest {
  private final CubicBucket bucket = new CubicBucket();

  @Test
  void lets_fifty_in_flight_and_does_not_pace_before_the_first_throttle() {
    TinyWorld world = new TinyWorld(1, Rule.taking(100 * MILLIS));
    Bout.play(peer(), world, new Job("", Long.MAX_VALUE, SECOND));
    assertThat(world.most()).isEqualTo(50);
    assertThat(bucket.rate()).isInfinite();
    assertThat(world.arrivals()).hasSize(50 * 9); // at 0, 120, … 960 ms
  }

  @Test
  void falls_to_seven_tenths_of_what_it_measured() {
    answers(0, 10, 20); // 10 s of 20 per second
    assertThat(bucket.measured()).isCloseTo(20, within(1e-4));
    bucket.update(true, 10 * SECOND - MILLIS);
    assertThat(bucket.rate()).isCloseTo(14, within(1e-4));
    bucket.update(true, 10 * SECOND - MILLIS); // every one counts
    assertThat(bucket.rate()).isCloseTo(9.8, within(1e-4));
  }

  @Test
  void returns_to_its_peak_after_the_cubic_window() {
    answers(0, 10, 20);
    bucket.update(true, 10 * SECOND);
    // cbrt(20 * 0.3 / 0.4) = 2.466 s, and 0.4 (6 - 2.466)^3 = 17.65 above it after 6 s
    answers(10, 2.4662, 20);
    assertThat(bucket.rate()).isCloseTo(20, within(0.05));
    answers(12.4662, 3.5338, 20);
    assertThat(bucket.rate()).isCloseTo(37.65, within(0.6));
    answers(16, 10, 20); // but never more than twice what it measures
    assertThat(bucket.rate()).isCloseTo(40, within(0.01));
  }

  @Test
  void paces_at_its_rate_once_it_is_switched_on() {
    answers(0, 10, 20);
    bucket.update(true, 10 * SECOND - MILLIS);
    long now = 10 * SECOND;
    int sent = 0;
    while (now < 15 * SECOND) {
      long notBefore = bucket.notBefore(now);
      if (notBefore <= now) {
        sent = bucket.sent(sent + 1, now);
      } else {
        now = notBefore;
      }
    }
    assertThat(sent).isBetween(83, 84); // 5 s of 14 per second, and a second's worth saved up
  }

  @Test
  void never_paces_slower_than_one_request_in_two_seconds() {
    for (int i = 0; i < 50; i++) {
      bucket.update(true, i * SECOND);
    }
    assertThat(bucket.rate()).isEqualTo(0.5);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void has_the_rates_and_waits_of_the_library(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ManualScheduler scheduler = new ManualScheduler();
    RateLimiterTokenBucket library =
        RateLimiterTokenBucketStore.builder()
            .clock(() -> scheduler.now() / 1e9)
            .scheduler(scheduler)
            .build()
            .tokenBucketForScope("");
    @Nullable CompletableFuture<Void> waiting = null;
    long waits = 0;
    long answers = 0;
    for (long now = 0; now < 120 * SECOND; now += MILLIS) {
      scheduler.advanceTo(now);
      boolean admitted = true;
      for (int i = 0; i < 3 && admitted; i++) {
        waiting = waiting == null ? library.acquireAsync() : waiting;
        scheduler.advanceTo(now);
        admitted = waiting.isDone();
        assertThat(bucket.notBefore(now) <= now).as("admitted at %d", now).isEqualTo(admitted);
        if (admitted) {
          int unused = bucket.sent(1, now);
          waiting = null;
        } else {
          waits++;
        }
      }
      // Answers at a changing pace, and throttles at the seed's own share of them.
      if (random.nextInt(1_000) < 30 + now / SECOND % 50) {
        boolean throttled = random.nextInt(1_000) < seed * seed;
        bucket.update(throttled, now);
        RateLimiterUpdateResponse theirs =
            throttled ? library.updateRateAfterThrottling() : library.updateRateAfterSuccess();
        assertThat(bucket.measured()).isEqualTo(theirs.measuredTxRate());
        // The library takes powers as the machine does, which may differ in the last digits.
        assertThat(bucket.fillRate())
            .isCloseTo(theirs.fillRate(), within(1e-9 * theirs.fillRate()));
        answers++;
      }
    }
    assertThat(answers).isGreaterThan(5_000);
    assertThat(waits).isGreaterThan(10_000);
  }

  /** So many per second, evenly, for some seconds. */
  private void answers(double from, double seconds, int perSecond) {
    for (int i = 0; i < seconds * perSecond; i++) {
      bucket.update(false, (long) ((from + (double) i / perSecond) * SECOND));
    }
  }

  private PerUser peer() {
    return new PerUser("", 1, user -> bucket, new SplittableRandom(1));
  }
}
