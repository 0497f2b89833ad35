package dev.sluice.arena.contender;

import dev.sluice.arena.bout.Sending;
import dev.sluice.control.Ticker;
import dev.sluice.control.parallelism.AdaptiveRateController;
import dev.sluice.control.parallelism.AdaptiveRateOptions;
import java.time.Duration;
import java.time.Instant;

/**
 * Additive increase, multiplicative decrease as the adaptive rate document writes it, with its
 * defaults: a chunk of as many requests as the {@link AdaptiveRateController} recommends is sent,
 * and when the slowest of them is back, each answer is recorded, in the order of sending. Every
 * throttle halves. A throttled connection is held as a whole until its Retry-After is over; what
 * was refused may go through another one at once.
 *
 * <p>On request a chunk is taken for one episode, of which only the first throttle is recorded.
 */
final class ChunkedAimd implements Limiter {
  private static final String CONNECTION = "";
  private static final long ACCEPTED = -1;

  private final int max;
  private final boolean oncePerChunk;
  private final Now now = new Now();
  private final AdaptiveRateController controller =
      new AdaptiveRateController(AdaptiveRateOptions.DEFAULTS, now);

  /** Of each request in the chunk: the wait that was asked for, or that it was accepted. */
  private long[] outcomes = {};

  private int sent;
  private int answered;
  private long begunAt;
  private long heldUntil;

  /**
   * A connection with a recommended degree of parallelism.
   *
   * @param oncePerChunk whether a chunk halves once at most, instead of once for each throttle
   */
  ChunkedAimd(int max, boolean oncePerChunk) {
    this.max = max;
    this.oncePerChunk = oncePerChunk;
  }

  /** What is not sent together is not of the same chunk: then there was no more to send. */
  @Override
  public int slots(long now) {
    if (sent == 0) {
      return 1;
    }
    return now == begunAt && sent < outcomes.length ? outcomes.length : 0;
  }

  @Override
  public long notBefore(long now) {
    return heldUntil;
  }

  @Override
  public int sent(int inFlight, long now) {
    if (sent == 0) {
      begunAt = now;
      this.now.nanos = now;
      outcomes = new long[controller.parallelism(CONNECTION, max)];
    }
    return sent++;
  }

  @Override
  public long answered(Sending sending, int number, long notBefore, long now) {
    outcomes[number] = !sending.looksThrottled() ? ACCEPTED : notBefore - now;
    heldUntil = Math.max(heldUntil, !sending.looksThrottled() ? 0 : notBefore);
    answered++;
    if (answered == sent) {
      this.now.nanos = now;
      record();
    }
    return now;
  }

  private void record() {
    boolean halved = false;
    for (int i = 0; i < sent; i++) {
      if (outcomes[i] == ACCEPTED) {
        controller.recordSuccess(CONNECTION);
      } else if (!(halved && oncePerChunk)) {
        controller.recordThrottle(CONNECTION, Duration.ofNanos(outcomes[i]));
        halved = true;
      }
    }
    sent = 0;
    answered = 0;
  }

  @Override
  public double level(long now) {
    return outcomes.length;
  }

  private static final class Now implements Ticker {
    private long nanos;

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH.plusNanos(nanos);
    }
  }
}
