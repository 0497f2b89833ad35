package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Contender;
import dev.sluice.arena.bout.Sending;
import dev.sluice.control.retry.Backoff;
import dev.sluice.control.retry.RetryOptions;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * A peer: one limiter of its kind per user, as somebody would who has a library and several users.
 *
 * <p>Sends through the user that has room and was used least recently, and names no server. A
 * refused or failed request is not sent again before its Retry-After is over or, where none is
 * told, before a back-off with full jitter from 1 s, doubling, up to 60 s; the others go on as the
 * limiter lets them. A request is carried by a worker until it is done, and a worker whose request
 * waits takes up no new one: somebody who runs 52 threads has at most 52 requests that are not
 * done. What failed four times, limits aside, is given up.
 *
 * <p>One that holds makes more of the same library: a user that was told to wait sends nothing as
 * long as told, and what it was refused goes through whichever user is free first.
 */
final class PerUser implements Contender {
  /** So many failures for other reasons than a limit, and a request is given up. */
  private static final int ATTEMPTS = RetryOptions.DEFAULTS.maxAttempts();

  private final String name;
  private final Limiter[] limiters;
  private final int[] inFlight;
  private final boolean holds;

  /** When each user may send again; in the past for all if nobody is held. */
  private final long[] heldUntil;

  /** The users, those least recently used first. */
  private final int[] turns;

  private final long workers;
  private final Backoff backoff;

  /** Requests that were sent and are not done. */
  private long carried;

  /** Whether nothing but a free worker was missing when it was last asked. */
  private boolean workerMissing;

  /**
   * A peer at rest; only the refused request waits.
   *
   * @param name as it is reported
   * @param users how many users, at least 1
   * @param limiter makes the limiter of a user, from 0
   * @param chance for back-off
   */
  PerUser(String name, int users, IntFunction<Limiter> limiter, RandomGenerator chance) {
    this(name, users, limiter, chance, false);
  }

  /** The same; {@code holds} if a user that was told to wait sends nothing for so long. */
  PerUser(
      String name, int users, IntFunction<Limiter> limiter, RandomGenerator chance, boolean holds) {
    this.name = name;
    this.holds = holds;
    this.heldUntil = new long[users];
    this.limiters = new Limiter[users];
    this.inFlight = new int[users];
    this.turns = new int[users];
    long sum = 0;
    for (int user = 0; user < users; user++) {
      limiters[user] = limiter.apply(user);
      turns[user] = user;
      sum += limiters[user].workers();
    }
    this.workers = sum;
    this.backoff = new Backoff(chance);
  }

  @Override
  public boolean send(Sending sending, long now) {
    boolean isNew = sending.tries() == 0;
    workerMissing = isNew && carried >= workers;
    if (workerMissing) {
      return false;
    }
    for (int turn = 0; turn < turns.length; turn++) {
      int user = turns[turn];
      if (hasSlot(user, now) && notBefore(user, now) <= now) {
        toTheEnd(turn);
        carried += isNew ? 1 : 0;
        int number = limiters[user].sent(++inFlight[user], now);
        sending.through(user, Sending.NONE, number, now);
        return true;
      }
    }
    return false;
  }

  @Override
  public long wakeAt(long now) {
    if (workerMissing) {
      return NEVER;
    }
    long earliest = NEVER;
    for (int user = 0; user < limiters.length; user++) {
      if (hasSlot(user, now)) {
        earliest = Math.min(earliest, notBefore(user, now));
      }
    }
    return earliest;
  }

  @Override
  public long answered(Sending sending, long now) {
    int user = sending.user();
    inFlight[user]--;
    boolean givenUp = sending.failures() >= ATTEMPTS;
    carried -= sending.isAdmitted() || givenUp ? 1 : 0;
    int number = sending.account() instanceof Integer given ? given : 0;
    long notBefore = notBefore(sending, now);
    if (holds && sending.isRefused() && sending.retryAfter() != Sending.NONE) {
      heldUntil[user] = Math.max(heldUntil[user], notBefore);
      notBefore = now; // the user waits, not the request
    }
    long again = limiters[user].answered(sending, number, notBefore, now);
    return givenUp ? GIVEN_UP : again;
  }

  private long notBefore(int user, long now) {
    return heldUntil[user] > now ? heldUntil[user] : limiters[user].notBefore(now);
  }

  private long notBefore(Sending sending, long now) {
    if (sending.isAdmitted()) {
      return now;
    }
    return now
        + (sending.retryAfter() == Sending.NONE
            ? backoff.nanos(sending.tries() - 1)
            : sending.retryAfter());
  }

  private boolean hasSlot(int user, long now) {
    return inFlight[user] < limiters[user].slots(now);
  }

  private void toTheEnd(int turn) {
    int user = turns[turn];
    System.arraycopy(turns, turn + 1, turns, turn, turns.length - turn - 1);
    turns[turns.length - 1] = user;
  }

  @Override
  public double level(long now) {
    double sum = 0;
    for (Limiter limiter : limiters) {
      sum += limiter.level(now);
    }
    return sum;
  }

  @Override
  public double rate(long now) {
    double sum = 0;
    for (Limiter limiter : limiters) {
      sum += limiter.rate();
    }
    return sum;
  }

  @Override
  public String toString() {
    return name;
  }
}
