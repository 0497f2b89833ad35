package dev.sluice.simulator.limit;

import java.util.List;

/**
 * Several limiters at once: a request is admitted only if all of them admit it; otherwise none has
 * spent anything. Of none, it admits everything. What it says of itself is what its tightest part
 * says: the one with the fewest left, and of equals the one that is closed the longest.
 */
public final class Several implements Limiter {
  private final Limiter[] parts;

  /** All of these together. They are its own from now on. */
  public Several(List<? extends Limiter> parts) {
    this.parts = parts.toArray(Limiter[]::new);
  }

  @Override
  public long untilFree(long now) {
    long longest = 0;
    for (Limiter part : parts) {
      longest = Math.max(longest, part.untilFree(now));
    }
    return longest;
  }

  @Override
  public void spend(long now) {
    for (Limiter part : parts) {
      part.spend(now);
    }
  }

  @Override
  public void finish(long now) {
    for (Limiter part : parts) {
      part.finish(now);
    }
  }

  @Override
  public void scale(double factor, long now) {
    for (Limiter part : parts) {
      part.scale(factor, now);
    }
  }

  /** Its parts, in the order in which they were given, to be asked but not spent. */
  public List<Limiter> parts() {
    return List.of(parts);
  }

  /** The size of the smallest part: of the tightest, time decides which that is. */
  @Override
  public long limit() {
    long least = Long.MAX_VALUE;
    for (Limiter part : parts) {
      least = Math.min(least, part.limit());
    }
    return least;
  }

  @Override
  public long left(long now) {
    long least = Long.MAX_VALUE;
    for (Limiter part : parts) {
      least = Math.min(least, part.left(now));
    }
    return least;
  }

  @Override
  public long untilReset(long now) {
    return parts.length == 0 ? 0 : tightest(now).untilReset(now);
  }

  /** The longest window among its parts. */
  @Override
  public long window() {
    long longest = 0;
    for (Limiter part : parts) {
      longest = Math.max(longest, part.window());
    }
    return longest;
  }

  /** The part that is nearest to refusing; itself if it has none. */
  public Limiter tightest(long now) {
    Limiter tightest = parts.length == 0 ? this : parts[0];
    for (Limiter part : parts) {
      long difference = part.left(now) - tightest.left(now);
      if (difference < 0 || (difference == 0 && part.untilFree(now) > tightest.untilFree(now))) {
        tightest = part;
      }
    }
    return tightest;
  }

  /** The part that is farthest from refusing; itself if it has none. */
  public Limiter roomiest(long now) {
    Limiter roomiest = parts.length == 0 ? this : parts[0];
    for (Limiter part : parts) {
      if (part.left(now) > roomiest.left(now)) {
        roomiest = part;
      }
    }
    return roomiest;
  }
}
