package dev.sluice.arena.contender;

import static dev.sluice.arena.bout.TinyWorld.MILLIS;
import static dev.sluice.arena.bout.TinyWorld.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import com.netflix.concurrency.limits.Limit;
import com.netflix.concurrency.limits.Limiter.Listener;
import com.netflix.concurrency.limits.limit.AIMDLimit;
import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limiter.SimpleLimiter;
import dev.sluice.arena.bout.Bout;
import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Job;
import dev.sluice.arena.bout.Sending;
import dev.sluice.arena.bout.TinyWorld;
import dev.sluice.arena.bout.TinyWorld.Rule;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LibraryLimitTest {
  private static final Rule TENTH = Rule.taking(100 * MILLIS);

  @Test
  void gradient2_grows_while_the_round_trip_does_not() {
    Limit limit = Gradient2Limit.newDefault();
    // From 20 by 0.2 * 4 for each answer that found half of the limit in use: 11 of the first 20.
    Bout.play(peer(limit), new TinyWorld(1, TENTH), Job.of("twenty", 20));
    assertThat(limit.getLimit()).isEqualTo(28);
  }

  @Test
  void gradient2_does_not_mind_being_refused() {
    Limit limit = Gradient2Limit.newDefault();
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(20, 429, SECOND));
    Bout.play(peer(limit), world, new Job("", 20, 50 * MILLIS));
    assertThat(limit.getLimit()).isEqualTo(28);
  }

  @Test
  void aimd_keeps_nine_tenths_at_a_drop_and_adds_one_for_an_answer() {
    Limit limit = AIMDLimit.newBuilder().build();
    TinyWorld world = new TinyWorld(1, TENTH.afterRefusing(1, 429, 60 * SECOND));
    limit.onSample(0, 1, 20, false);
    assertThat(limit.getLimit()).isEqualTo(21);
    Contender peer = peer(AIMDLimit.newBuilder().minLimit(1).build());
    Bout.play(peer, world, new Job("", 20, 100 * MILLIS));
    assertThat(peer.level(0)).isEqualTo(18);
  }

  static Stream<Supplier<Limit>> limits() {
    return Stream.of(
        Gradient2Limit::newDefault,
        () -> Gradient2Limit.newBuilder().minLimit(1).maxConcurrency(52).build(),
        () -> AIMDLimit.newBuilder().minLimit(1).build(),
        () -> new SeededVegas(200, new SplittableRandom(5)));
  }

  @ParameterizedTest
  @MethodSource("limits")
  void is_told_what_the_librarys_own_limiter_tells(Supplier<Limit> limit) {
    Limit ours = limit.get();
    Limit theirs = limit.get();
    TinyWorld one = crowded();
    TinyWorld other = crowded();
    Job job = new Job("", Long.MAX_VALUE, 120 * SECOND);
    assertThat(Bout.play(peer(ours), one, job))
        .isEqualTo(Bout.play(new OwnLimiter(theirs), other, job));
    assertThat(one.arrivals().size()).isGreaterThan(10_000);
    assertThat(one.arrivals().equals(other.arrivals())).isTrue(); // too many to print
    assertThat(ours.getLimit()).isEqualTo(theirs.getLimit());
  }

  /** Gets slow above 30 at once, and refuses one in a hundred for a second. */
  private static TinyWorld crowded() {
    TinyWorld[] world = new TinyWorld[1];
    world[0] =
        new TinyWorld(
            1,
            (sending, index, now) -> {
              if (index % 100 == 99) {
                sending.refuse(429, SECOND, 0);
              } else {
                sending.admit(
                    (100 + 10L * Math.max(0, world[0].inService() - 30)) * MILLIS, 0, null);
              }
            });
    return world[0];
  }

  private static Contender peer(Limit limit) {
    return new PerUser("", 1, user -> new LibraryLimit(limit, 1_000_000), new SplittableRandom(1));
  }

  /** The library's own limiter in front of the same algorithm. */
  private static final class OwnLimiter implements Contender {
    private final SimpleLimiter<Void> limiter;
    private long now;

    OwnLimiter(Limit limit) {
      limiter = SimpleLimiter.newBuilder().limit(limit).nanoClock(() -> now).build();
    }

    @Override
    public boolean send(Sending sending, long time) {
      now = time;
      Optional<Listener> listener = limiter.acquire(null);
      listener.ifPresent(found -> sending.through(0, Sending.NONE, found, time));
      return listener.isPresent();
    }

    @Override
    public long wakeAt(long time) {
      return NEVER;
    }

    @Override
    public long answered(Sending sending, long time) {
      now = time;
      if (sending.account() instanceof Listener listener) {
        if (sending.isAdmitted()) {
          listener.onSuccess();
        } else {
          listener.onDropped();
        }
      }
      return sending.isAdmitted() ? time : time + sending.retryAfter();
    }
  }
}
