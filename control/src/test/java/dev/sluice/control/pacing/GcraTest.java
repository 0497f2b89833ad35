package dev.sluice.control.pacing;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GcraTest {
  private static final long INTERVAL = 100;
  private static final long TOLERANCE = 300;
  private static final long[] SPANS = {0, 1, 50, 99, 100, 101, 250, 300, 1_000, 12_345, 100_000};

  @Test
  void a_request_conforms_from_its_theoretical_arrival_less_the_tolerance_on() {
    Gcra pacer = Gcra.idleSince(0, INTERVAL, 30);
    assertThat(pacer.tryAcquire(0)).isTrue();
    assertThat(pacer.tryAcquire(69)).isFalse();
    assertThat(pacer.tryAcquire(70)).isTrue();
    // It came 30 early, so the next is due two intervals after the first.
    assertThat(pacer.tryAcquire(169)).isFalse();
    assertThat(pacer.tryAcquire(170)).isTrue();
  }

  @Test
  void an_hour_of_idling_earns_no_more_than_one_burst() {
    Gcra pacer = Gcra.idleSince(0, INTERVAL, TOLERANCE);
    assertThat(admittedAt(pacer, HOURS.toNanos(1))).isEqualTo(4); // floor(300 / 100) + 1
  }

  @Test
  void a_refused_request_changes_nothing() {
    Gcra pacer = Gcra.idleSince(0, INTERVAL, 0);
    assertThat(pacer.tryAcquire(0)).isTrue();
    for (long now = 1; now < INTERVAL; now++) {
      assertThat(pacer.tryAcquire(now)).isFalse();
    }
    assertThat(pacer.tryAcquire(INTERVAL)).isTrue();
  }

  @Test
  void reservations_queue_up_one_interval_apart_behind_the_burst() {
    Gcra pacer = Gcra.idleSince(1_000, INTERVAL, INTERVAL);
    assertThat(LongStream.range(0, 5).map(i -> pacer.reserve(1_000)))
        .containsExactly(0L, 0L, 100L, 200L, 300L);
    assertThat(pacer.reserve(1_250)).isEqualTo(150);
  }

  @Test
  void the_earliest_time_is_when_a_request_first_conforms_and_takes_no_place() {
    Gcra pacer = Gcra.idleSince(0, INTERVAL, 0);
    assertThat(pacer.earliest(7)).isEqualTo(7);
    assertThat(pacer.tryAcquire(7)).isTrue();
    assertThat(pacer.earliest(8)).isEqualTo(107);
    assertThat(pacer.earliest(107)).isEqualTo(107);
    assertThat(pacer.earliest(500)).isEqualTo(500);
    assertThat(pacer.tryAcquire(106)).isFalse();
    assertThat(pacer.tryAcquire(107)).isTrue();
  }

  @Test
  void a_rate_and_a_burst_become_an_interval_and_a_tolerance() {
    Gcra pacer = Gcra.ofRate(0, 4, 3);
    assertThat(pacer.interval()).isEqualTo(250_000_000);
    assertThat(pacer.tolerance()).isEqualTo(500_000_000);
    assertThat(admittedAt(pacer, 0)).isEqualTo(3);
    assertThat(admittedAt(pacer, SECONDS.toNanos(1))).isEqualTo(3);
  }

  @Test
  void an_interval_that_is_no_whole_number_is_rounded_up_so_that_the_rate_is_never_exceeded() {
    assertThat(Gcra.interval(3)).isEqualTo(333_333_334);
    assertThat(Gcra.interval(1e9)).isEqualTo(1);
    assertThat(Gcra.interval(1e12)).isEqualTo(1);
    assertThat(Gcra.interval(Double.MAX_VALUE)).isEqualTo(1);
    assertThat(Gcra.interval(0.001)).isEqualTo(1_000_000_000_000L);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 5, -5, Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 150})
  void the_origin_of_time_does_not_matter_even_where_it_wraps_round(long origin) {
    Gcra pacer = Gcra.idleSince(origin, INTERVAL, TOLERANCE);
    assertThat(admittedAt(pacer, origin)).isEqualTo(4);
    assertThat(pacer.earliest(origin)).isEqualTo(origin + 100);
    assertThat(pacer.tryAcquire(origin + 99)).isFalse();
    assertThat(pacer.tryAcquire(origin + 100)).isTrue();
    assertThat(pacer.reserve(origin + 150)).isEqualTo(50);
  }

  @Test
  void the_longest_interval_and_tolerance_do_not_overflow() {
    long most = Long.MAX_VALUE / 4;
    Gcra pacer = Gcra.idleSince(Long.MAX_VALUE, most, most);
    assertThat(admittedAt(pacer, Long.MAX_VALUE)).isEqualTo(2);
    assertThat(pacer.reserve(Long.MAX_VALUE)).isEqualTo(most);
    // The next place is too far away to count, and asking for it again and again changes nothing.
    for (int i = 0; i < 10; i++) {
      assertThat(pacer.reserve(Long.MAX_VALUE)).isEqualTo(Gcra.NEVER);
    }
    assertThat(pacer.tryAcquire(Long.MAX_VALUE + 2 * most - 1)).isFalse();
    assertThat(pacer.tryAcquire(Long.MAX_VALUE + 2 * most)).isTrue();
  }

  @Test
  void a_clock_that_jumps_back_only_delays_until_it_has_caught_up() {
    Gcra pacer = Gcra.idleSince(1_000_000, INTERVAL, 0);
    assertThat(pacer.tryAcquire(1_000_000)).isTrue();
    for (long now = 0; now < 1_000_000; now += 1_000) {
      assertThat(pacer.tryAcquire(now)).isFalse();
    }
    assertThat(pacer.earliest(0)).isEqualTo(1_000_100);
    assertThat(pacer.tryAcquire(1_000_099)).isFalse();
    assertThat(pacer.tryAcquire(1_000_100)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE, Long.MAX_VALUE / 4 + 1, Long.MAX_VALUE})
  void an_interval_out_of_range_is_refused(long interval) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gcra.idleSince(0, interval, 0))
        .withMessageContaining("interval is " + interval);
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE / 4 + 1, Long.MAX_VALUE})
  void a_tolerance_out_of_range_is_refused(long tolerance) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gcra.idleSince(0, 1, tolerance))
        .withMessageContaining("tolerance is " + tolerance);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, 1e-10, Double.MIN_VALUE})
  void a_rate_out_of_range_is_refused(double rate) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gcra.ofRate(0, rate, 1))
        .withMessageContaining("rate is " + rate);
  }

  @Test
  void a_burst_out_of_range_is_refused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gcra.ofRate(0, 1, 0))
        .withMessageContaining("burst is 0");
    double onePerMonth = 1.0 / SECONDS.convert(30, java.util.concurrent.TimeUnit.DAYS);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Gcra.ofRate(0, onePerMonth, 1_000))
        .withMessageContaining("burst is 1000, but must lie between 1 and 890");
    assertThat(Gcra.ofRate(0, onePerMonth, 890).tolerance()).isPositive();
    assertThat(Gcra.ofRate(0, 1e9, Integer.MAX_VALUE).tolerance()).isEqualTo(Integer.MAX_VALUE - 1);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void never_admits_more_than_the_bound_in_any_span(long seed) {
    long[] admitted = admissionsUnderRandomDemand(seed, 20_000);
    for (long span : SPANS) {
      assertThat(Demand.mostWithin(span, admitted))
          .as("seed %d, span %d", seed, span)
          .isLessThanOrEqualTo((span + TOLERANCE) / INTERVAL + 1);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void steady_demand_gets_the_whole_rate(long seed) {
    Random random = new Random(seed);
    Gcra pacer = Gcra.idleSince(0, INTERVAL, TOLERANCE);
    long admitted = 0;
    for (long now = 0; now < 100_000; now += random.nextLong(1, 40)) {
      admitted += admittedAt(pacer, now);
    }
    assertThat(admitted).as("seed %d", seed).isBetween(1_000L, 1_004L);
  }

  @Test
  void acquiring_reserving_and_refusing_allocate_nothing() {
    Gcra pacer = Gcra.idleSince(0, INTERVAL, TOLERANCE);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long fewest = Long.MAX_VALUE;
    // The first rounds may pay for compiling, which takes its time on a busy machine.
    for (int round = 0; round < 200 && fewest >= 1_000; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long sum = 0;
      for (int i = 0; i < 100_000; i++) {
        sum += pacer.tryAcquire(i) ? 1 : 0;
        sum += pacer.earliest(i);
        sum += i % 100 == 0 ? pacer.reserve(i) : 0;
      }
      fewest = Math.min(fewest, threads.getCurrentThreadAllocatedBytes() - before);
      assertThat(sum).isNotZero();
    }
    assertThat(fewest).isLessThan(1_000);
  }

  static LongStream seeds() {
    return LongStream.range(0, 20 * Integer.getInteger("sluice.seeds", 1));
  }

  private static int admittedAt(Gcra pacer, long now) {
    int admitted = 0;
    while (pacer.tryAcquire(now)) {
      admitted++;
    }
    return admitted;
  }

  /** Bursts, trickles and pauses; some take places ahead of time. */
  private static long[] admissionsUnderRandomDemand(long seed, int demands) {
    Random random = new Random(seed);
    long now = random.nextLong();
    Gcra pacer = Gcra.idleSince(now, INTERVAL, TOLERANCE);
    long[] admitted = new long[demands];
    int count = 0;
    for (int i = 0; i < demands; i++) {
      now += Demand.pause(random, INTERVAL);
      if (random.nextInt(10) == 0) {
        admitted[count++] = now + pacer.reserve(now);
      } else if (pacer.tryAcquire(now)) {
        admitted[count++] = now;
      }
    }
    long origin = admitted[0];
    return Arrays.stream(admitted, 0, count).map(at -> at - origin).sorted().toArray();
  }
}
