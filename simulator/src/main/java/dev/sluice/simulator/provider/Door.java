package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.Limiter;
import dev.sluice.simulator.limit.Several;

/**
 * Where a limit meets requests: lets them in, turns them away, or keeps them waiting. Speaks for
 * its limit, of several for the tightest, or for the roomiest where that is told instead.
 *
 * <p>Single-threaded; monotonic nanoseconds that do not go back.
 */
abstract class Door {
  private final Limiter limiter;
  private final boolean roomiest;

  Door(Limiter limiter, boolean roomiest) {
    this.limiter = limiter;
    this.roomiest = roomiest;
  }

  static Door open(ServiceOptions options, long boundary, long now) {
    boolean roomiest = options.has(Misbehaviour.WRONG_LIMIT_TOLD);
    return options.signal() == Signal.SLOW_DOWN
        ? SlowQueue.open(options.limit(), roomiest, boundary, now)
        : new Refusing(options.limit().open(boundary, now), roomiest);
  }

  /**
   * A request comes.
   *
   * @return nanoseconds until it is served; if it is refused, minus those until it would not be,
   *     {@code -Limiter.NEVER} if time alone does not help
   */
  abstract long enter(long now);

  /** Spends so many more for a request that was let in, as far as there are any. */
  final void charge(int more, long now) {
    for (int i = 0; i < more && limiter.untilFree(time(now)) == 0; i++) {
      limiter.spend(time(now));
    }
  }

  /** By how much a request is stretched if so many run, itself among them. */
  abstract double stretch(int running);

  /** The limiter's time, which may be ahead of the clock. */
  abstract long time(long now);

  void finish(long now) {
    limiter.finish(time(now));
  }

  /** Counts a request that was let in before this door was hung. */
  void takeOver(long now) {
    limiter.spend(time(now));
  }

  void scale(double factor, long now) {
    limiter.scale(factor, time(now));
  }

  private Limiter told(long now) {
    if (limiter instanceof Several several) {
      return roomiest ? several.roomiest(time(now)) : several.tightest(time(now));
    }
    return limiter;
  }

  long limit(long now) {
    return told(now).limit();
  }

  long left(long now) {
    return told(now).left(time(now));
  }

  long untilReset(long now) {
    return told(now).untilReset(time(now));
  }

  long window(long now) {
    return told(now).window();
  }

  /** The longest time that any part of the limit remembers. */
  long memory() {
    return limiter.window();
  }

  final Limiter limiter() {
    return limiter;
  }

  /** Turns away what is too much. */
  private static final class Refusing extends Door {
    Refusing(Limiter limiter, boolean roomiest) {
      super(limiter, roomiest);
    }

    @Override
    long enter(long now) {
      return -limiter().admit(now);
    }

    @Override
    double stretch(int running) {
      return 1;
    }

    @Override
    long time(long now) {
      return now;
    }
  }
}
