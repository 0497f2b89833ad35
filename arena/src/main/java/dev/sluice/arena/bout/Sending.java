package dev.sluice.arena.bout;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way through a bout, refused and sent again until it is done. Objects are used
 * again for later requests.
 */
public final class Sending implements Attempt {
  /** No server is named, or no wait is told. */
  public static final int NONE = -1;

  // The engine's.
  long eventAt;
  long order;
  Phase phase = Phase.READY;
  private long number;
  Operation operation = new Operation("", 0);
  long left;

  // The contender's.
  private int user;
  private int cookie;
  private long sentAt;
  private int ticket;
  private @Nullable Object account;

  // The world's.
  private boolean admitted;
  private boolean refused;
  private boolean broken;
  private long lostFor;
  private int status;
  private long retryAfter = NONE;
  private int server = NONE;
  private long duration;
  private @Nullable Object visit;
  private double requestsLeft = Double.NaN;
  private double timeLeft = Double.NaN;
  private Signal.Facet facet = Signal.Facet.UNKNOWN;
  private int refusals;
  private int failures;
  private int failuresInAll;

  /** Where it is. */
  enum Phase {
    READY,
    TO_SERVICE,
    IN_SERVICE,
    TO_CLIENT
  }

  /**
   * Chooses how it is sent.
   *
   * @param user through which identity, from 0
   * @param cookie to which server, from 0; {@link #NONE} to any
   * @param account whatever the contender wants back with the answer
   */
  public void through(int user, int cookie, @Nullable Object account, long now) {
    this.user = user;
    this.cookie = cookie;
    this.account = account;
    this.sentAt = now;
  }

  /** Keeps a number for the contender until the answer. */
  public void ticket(int number) {
    ticket = number;
  }

  /** The number that the contender gave it to keep. */
  public int ticket() {
    return ticket;
  }

  /** It was admitted and takes so many nanoseconds. */
  public void admit(long duration, int server, @Nullable Object visit) {
    end(200, duration, server, visit);
    this.admitted = true;
  }

  /**
   * Something went wrong that has nothing to do with limits.
   *
   * @param status the HTTP status; 0 if no answer comes
   * @param duration nanoseconds that it takes at the service
   * @param lostFor nanoseconds more that the client waits for an answer that does not come
   * @param broken whether it will always fail
   */
  public void fail(int status, long duration, long lostFor, boolean broken) {
    end(status, duration, NONE, null);
    this.lostFor = lostFor;
    this.broken = broken;
    failures++;
    failuresInAll++;
  }

  private void end(int status, long duration, int server, @Nullable Object visit) {
    this.admitted = false;
    this.refused = false;
    this.broken = false;
    this.lostFor = 0;
    this.status = status;
    this.duration = duration;
    this.retryAfter = NONE;
    this.server = server;
    this.visit = visit;
  }

  /**
   * It was refused.
   *
   * @param status the HTTP status
   * @param retryAfter the wait that was told, in nanoseconds; {@link #NONE} if none was
   * @param facet which limit, where the service says so
   */
  public void refuse(int status, long retryAfter, int server, Signal.Facet facet) {
    end(status, 0, server, null);
    this.refused = true;
    this.facet = facet;
    this.retryAfter = retryAfter;
    refusals++;
  }

  /** The same where the service does not say which limit. */
  public void refuse(int status, long retryAfter, int server) {
    refuse(status, retryAfter, server, Signal.Facet.UNKNOWN);
  }

  /** Which limit refused it, where the service says so. */
  public Signal.Facet facet() {
    return facet;
  }

  /** What the answer's headers say is left: requests, and seconds of execution time. */
  public void tell(double requestsLeft, double timeLeft) {
    this.requestsLeft = requestsLeft;
    this.timeLeft = timeLeft;
  }

  void reuse(long number, Operation next) {
    this.number = number;
    operation = next;
    visit = null;
    failuresInAll = 0;
    startOver();
    requestsLeft = Double.NaN;
    timeLeft = Double.NaN;
  }

  /** It was given up: whoever tries it again has not tried it before. */
  void startOver() {
    refusals = 0;
    failures = 0;
    account = null;
  }

  /** Which request of the job it is, from 0. */
  public long number() {
    return number;
  }

  /** What it does. */
  public Operation operation() {
    return operation;
  }

  /** How many requests of the job are not done, this one included. */
  public long left() {
    return left;
  }

  /** Through which identity it was sent. */
  public int user() {
    return user;
  }

  /** Which server it asked for; {@link #NONE} if it did not. */
  public int cookie() {
    return cookie;
  }

  @Override
  public long sentAt() {
    return sentAt;
  }

  @Override
  public Work work() {
    return new Work(
        operation.name(),
        left == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(Math.max(1, left)));
  }

  /** What the contender gave it to carry. */
  public @Nullable Object account() {
    return account;
  }

  /** Whether it was admitted. */
  public boolean isAdmitted() {
    return admitted;
  }

  /** Whether a limit refused it. */
  public boolean isRefused() {
    return refused;
  }

  /** Whether its answer is one by which services speak of limits, whatever it is in truth. */
  public boolean looksThrottled() {
    return status == 429 || status == 503;
  }

  /** Whether it failed and always will. */
  public boolean isBroken() {
    return broken;
  }

  /** Nanoseconds that the client waits in vain for an answer that does not come. */
  long lostFor() {
    return lostFor;
  }

  /** The HTTP status of the answer; 0 if none came. */
  public int status() {
    return status;
  }

  /** Nanoseconds of wait that the answer told; {@link #NONE} if none. */
  public long retryAfter() {
    return retryAfter;
  }

  /** Which server answered; {@link #NONE} where the service does not tell. */
  public int answeredBy() {
    return server;
  }

  /** Nanoseconds that it took at the service. */
  public long duration() {
    return duration;
  }

  /** What the world gave it to carry. */
  public @Nullable Object visit() {
    return visit;
  }

  /** How many requests the service says are left in its window; NaN if it does not. */
  public double requestsLeft() {
    return requestsLeft;
  }

  /** How many seconds of execution time the service says are left; NaN if it does not. */
  public double timeLeft() {
    return timeLeft;
  }

  /** How often it was refused so far. */
  public int refusals() {
    return refusals;
  }

  /** How often it failed so far. */
  public int failures() {
    return failures;
  }

  /** How often it ever failed, also before it was given up. */
  public int failuresInAll() {
    return failuresInAll;
  }

  /** How often it came back undone so far. */
  public int tries() {
    return refusals + failures;
  }
}
