package dev.sluice.simulator.farm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A random history of requests, counted again from its log in the plainest way: whatever the farm
 * admitted or refused, it was right, and what it told to wait was true.
 */
class FarmRecountTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final int REQUESTS = 1_500;

  static LongStream seeds() {
    return LongStream.range(0, 40 * Integer.getInteger("sluice.seeds", 1));
  }

  /** A request that was let in; it ends at {@code end}. */
  private record Served(Farm.Visit visit, long start, long end) {}

  /** What the log says about one account. */
  private static final class Plain {
    final List<Served> served = new ArrayList<>();
    final Map<Facet, Long> refused = new EnumMap<>(Facet.class);
    long toldUntil = Long.MIN_VALUE;
    long toldAt;
    @Nullable Facet toldFor;

    long requests(long window, long now) {
      return served.stream().filter(each -> now - each.start() < window).count();
    }

    int running(long now) {
      return (int) served.stream().filter(each -> each.end() > now).count();
    }

    long time(ProtectionOptions options, long now) {
      long window = options.window().toNanos();
      long sum = 0;
      for (Served each : served) {
        if (options.charging() == Charging.AS_IT_ACCRUES) {
          sum += Math.max(0, Math.min(each.end(), now) - Math.max(each.start(), now - window));
        } else if (each.end() <= now && now - each.end() < window) {
          sum += each.visit().duration();
        }
      }
      return sum;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void every_decision_agrees_with_a_plain_recount(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    ProtectionOptions options =
        new ProtectionOptions(
            5 + random.nextInt(60),
            Duration.ofMillis(500 + random.nextInt(15_000)),
            Duration.ofMillis(2_000 + random.nextInt(20_000)),
            1 + random.nextInt(8),
            random.nextBoolean() ? Charging.AT_COMPLETION : Charging.AS_IT_ACCRUES,
            random.nextBoolean(),
            Duration.ofSeconds(1 + random.nextInt(3)),
            Duration.ofMinutes(10),
            Duration.ofSeconds(random.nextInt(3)),
            random.nextBoolean());
    int servers = 1 + random.nextInt(3);
    Farm farm =
        new Farm(
            FarmOptions.DEFAULTS.withServers(servers).withJitter(0.3).withProtection(options),
            random.split());
    int users = 1 + random.nextInt(3);
    for (int i = 0; i < users; i++) {
      farm.addUser(0);
    }
    Map<Account, Plain> accounts = new HashMap<>();
    PriorityQueue<Served> running =
        new PriorityQueue<>((one, other) -> Long.compare(one.end(), other.end()));
    long now = 0;
    for (int i = 0; i < REQUESTS; i++) {
      now += (long) (-Math.log(1 - random.nextDouble()) * SECOND / 8);
      while (!running.isEmpty() && running.peek().end() <= now) {
        Served done = running.remove();
        farm.finish(done.visit(), done.end());
      }
      int user = random.nextInt(users);
      Farm.Visit visit = farm.arrive(user, Farm.ANY, random.nextLong(SECOND), now);
      Plain plain = accounts.computeIfAbsent(visit.account(), unused -> new Plain());
      assertThat(visit.account()).isSameAs(farm.account(user, visit.server()));
      check(plain, options, visit, now);
      if (visit.throttle() == null) {
        Served served = new Served(visit, now, now + visit.duration());
        plain.served.add(served);
        running.add(served);
      }
    }
    for (Map.Entry<Account, Plain> entry : accounts.entrySet()) {
      Tally tally = entry.getKey().tally();
      assertThat(tally.accepted()).isEqualTo(entry.getValue().served.size());
      for (Facet facet : Facet.values()) {
        assertThat(tally.refused(facet))
            .isEqualTo(entry.getValue().refused.getOrDefault(facet, 0L));
      }
    }
  }

  private static void check(Plain plain, ProtectionOptions options, Farm.Visit visit, long now) {
    Throttle throttle = visit.throttle();
    long window = options.window().toNanos();
    boolean crowded = plain.running(now) >= options.concurrent();
    boolean tooLong = plain.time(options, now) >= options.executionTime().toNanos();
    boolean tooMany = plain.requests(window, now) >= options.requests();
    if (throttle == null) {
      assertThat(now).isGreaterThanOrEqualTo(plain.toldUntil);
      assertThat(crowded || tooLong || tooMany).isFalse();
      return;
    }
    plain.refused.merge(throttle.facet(), 1L, Long::sum);
    long wait = throttle.retryAfter().toNanos();
    assertThat(wait % SECOND).isZero();
    if (now < plain.toldUntil) {
      assertThat(throttle.facet()).isEqualTo(plain.toldFor);
      if (now - plain.toldAt > SECOND) {
        plain.toldUntil =
            Math.min(
                plain.toldUntil + options.press().toNanos(), now + options.longestWait().toNanos());
      }
      assertThat(now + wait).isBetween(plain.toldUntil, plain.toldUntil + SECOND - 1);
      return;
    }
    assertThat(throttle.facet())
        .isEqualTo(crowded ? Facet.CONCURRENCY : tooLong ? Facet.EXECUTION_TIME : Facet.REQUESTS);
    assertThat(crowded || tooLong || tooMany).isTrue();
    if (!crowded) {
      // True: so much later there is room, if what runs ended now and nothing else came.
      long then = now + wait;
      long count = plain.served.stream().filter(each -> then - each.start() < window).count();
      if (throttle.facet() == Facet.REQUESTS) {
        assertThat(count).isLessThan(options.requests());
      }
      boolean shortest = wait == options.shortestWait().toNanos();
      long sooner = then - SECOND;
      if (throttle.facet() == Facet.REQUESTS && !shortest) {
        assertThat(plain.served.stream().filter(each -> sooner - each.start() < window).count())
            .isGreaterThanOrEqualTo(options.requests());
      }
    }
    if (!crowded || options.concurrencyLocks()) {
      plain.toldUntil = now + wait;
      plain.toldAt = now;
      plain.toldFor = throttle.facet();
    }
  }
}
