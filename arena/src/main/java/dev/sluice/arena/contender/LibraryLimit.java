package dev.sluice.arena.contender;

import com.netflix.concurrency.limits.Limit;
import dev.sluice.arena.bout.Sending;

/**
 * As many in flight as an algorithm of Netflix concurrency-limits says. It is told of an answer
 * what the library's own limiter tells it: when it was sent, how long it took, how many were in
 * flight when it was sent, and whether it was dropped, which a refusal is.
 *
 * @param limit the algorithm, which has seen nothing yet
 * @param workers its highest limit: more threads would never be of use
 */
record LibraryLimit(Limit limit, int workers) implements Limiter {
  @Override
  public int slots(long now) {
    return limit.getLimit();
  }

  @Override
  public long answered(Sending sending, int number, long notBefore, long now) {
    if (!sending.isAdmitted() && !sending.looksThrottled()) {
      return notBefore; // the library's limiters ignore other failures
    }
    // Vegas divides by it, and refuses a round trip that took no time.
    long roundTrip = Math.max(1, now - sending.sentAt());
    limit.onSample(sending.sentAt(), roundTrip, number, !sending.isAdmitted());
    return notBefore;
  }
}
