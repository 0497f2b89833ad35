package dev.sluice.control.lane;

import dev.sluice.control.policy.Attempt;
import dev.sluice.control.policy.Work;
import dev.sluice.control.signal.Signal;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Sends work through one lane in given time, each request as early as the lane lets it, and what
 * was refused or failed again, until it is done or the time is over.
 */
public final class LaneRun {
  /** How a provider answers. */
  @FunctionalInterface
  public interface Provider {
    /**
     * What comes back for a request that arrives at {@code now}, given in order.
     *
     * @param item which of the work it is for
     */
    Reply reply(int item, long now);
  }

  /** An answer, and how long after the request was sent it comes; nanoseconds. */
  public record Reply(Signal signal, long latency) {}

  private record Sent(int item, long sentAt, int ticket, Signal signal, long answeredAt)
      implements Attempt {
    @Override
    public Work work() {
      return Work.UNKNOWN;
    }
  }

  private final Provider provider;
  private final Lane lane;
  private final PriorityQueue<Sent> inFlight =
      new PriorityQueue<>(Comparator.comparingLong(Sent::answeredAt).thenComparingInt(Sent::item));
  private final Deque<Integer> left = new ArrayDeque<>();
  private long stillFrom = Long.MAX_VALUE;
  private long stillUntil;
  private long sequence;
  private int callers = Integer.MAX_VALUE;

  public int sent;
  public int refused;
  public int done;
  public long now;

  public LaneRun(LaneOptions options, Provider provider) {
    this.lane = new Lane("lane", options, new SplittableRandom(1), 0);
    this.provider = provider;
  }

  /** No more than so many requests at once, however many the lane would let go. */
  public LaneRun callers(int most) {
    callers = most;
    return this;
  }

  /** The process stands still from then on, for so long. */
  public LaneRun standStill(long from, long length) {
    stillFrom = from;
    stillUntil = from + length;
    return this;
  }

  public Lane lane() {
    return lane;
  }

  /** Runs until so many more items are done. */
  public LaneRun requests(int count) {
    int target = done + count;
    for (int i = 0; i < count; i++) {
      left.add(i);
    }
    run(target, Long.MAX_VALUE);
    return this;
  }

  /** Runs with work without end until then. */
  public LaneRun until(long end) {
    run(Integer.MAX_VALUE, end);
    return this;
  }

  private void run(int target, long end) {
    while (done < target && now < end) {
      boolean endless = target == Integer.MAX_VALUE;
      while ((endless || !left.isEmpty()) && inFlight.size() < callers && lane.admits(now)) {
        send(endless && left.isEmpty() ? done + inFlight.size() : left.remove());
      }
      long wake =
          (endless || !left.isEmpty()) && inFlight.size() < callers
              ? lane.wakeAt(now)
              : Long.MAX_VALUE;
      Sent first = inFlight.peek();
      long next = Math.min(wake, first == null ? Long.MAX_VALUE : first.answeredAt);
      if (next == Long.MAX_VALUE) {
        throw new AssertionError("the lane is stuck: " + lane.statistics(now));
      }
      if (next > end) {
        now = end;
        return;
      }
      now = Math.max(now, next);
      if (now >= stillFrom && now < stillUntil) {
        now = stillUntil;
      }
      while (inFlight.peek() != null && inFlight.peek().answeredAt <= now) {
        settle(inFlight.remove());
      }
    }
  }

  private void send(int item) {
    Reply reply = provider.reply(item, now);
    Sent attempt = new Sent(item, now, 0, reply.signal(), now + reply.latency());
    int ticket = lane.start(attempt, ++sequence, now);
    inFlight.add(new Sent(item, now, ticket, reply.signal(), now + reply.latency()));
    sent++;
  }

  private void settle(Sent answered) {
    lane.settle(answered, answered.ticket, answered.signal, now);
    if (answered.signal instanceof Signal.Success) {
      done++;
      return;
    }
    left.addFirst(answered.item);
    if (answered.signal instanceof Signal.Throttled) {
      refused++;
    }
  }
}
