package dev.sluice.gate;

import dev.sluice.control.signal.Signal;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A provider with a limit that it does not tell, in simulated time. It counts what it granted and
 * refused, and notes whether it would have suspended the client: at any request, at least 10
 * refused and more than a tenth of those of the last 60 s.
 */
final class OrdinaryProvider {
  static final long SECOND = 1_000_000_000L;
  private static final long ROUND_TRIP_OF_A_REFUSAL = 2_000_000L;

  /** A rate limiter. */
  interface Limit {
    /** Takes one request: 0 if it is granted, or else how long until one would be. */
    long ask(long now);
  }

  /** How a refusal is told. */
  enum Refusal {
    RETRY_AFTER,
    BARE_429,
    BARE_503
  }

  private final Time time;
  private final Limit limit;
  private final Refusal refusal;
  private final LongUnaryOperator latency; // of the nth granted request, counted from 0
  private final Deque<Request> lastMinute = new ArrayDeque<>();
  private int refusedLastMinute;

  final List<Long> sent = new ArrayList<>();
  final List<Long> done = new ArrayList<>();
  int refused;
  boolean suspends;
  private long granted;

  private record Request(long at, boolean refused) {}

  OrdinaryProvider(Time time, Limit limit, Refusal refusal, LongUnaryOperator latency) {
    this.time = time;
    this.limit = limit;
    this.refusal = refusal;
    this.latency = latency;
  }

  /** One request: waits for the answer, as a blocking client does. */
  Call.Reply<Boolean> send() throws InterruptedException {
    long now = time.nanos();
    sent.add(now);
    long wait = limit.ask(now);
    judge(now, wait > 0);
    if (wait > 0) {
      refused++;
      time.sleepUntil(now + ROUND_TRIP_OF_A_REFUSAL);
      return new Call.Reply<>(false, refusal(wait));
    }
    time.sleepUntil(now + latency.applyAsLong(granted++));
    done.add(time.nanos());
    return new Call.Reply<>(true, Signal.success());
  }

  private Signal refusal(long wait) {
    return switch (refusal) {
      case RETRY_AFTER -> Signal.throttled(Duration.ofSeconds(Math.ceilDiv(wait, SECOND)));
      case BARE_429 -> Signal.throttled();
      case BARE_503 -> Signal.transientFailure(Signal.Transient.Kind.UNAVAILABLE);
    };
  }

  private void judge(long now, boolean isRefused) {
    lastMinute.add(new Request(now, isRefused));
    refusedLastMinute += isRefused ? 1 : 0;
    while (now - lastMinute.getFirst().at >= 60 * SECOND) {
      refusedLastMinute -= lastMinute.removeFirst().refused ? 1 : 0;
    }
    suspends |= refusedLastMinute >= 10 && refusedLastMinute > 0.1 * lastMinute.size();
  }

  /** How many requests were sent between two times, in seconds. */
  long sent(double from, double to) {
    return count(sent, from, to);
  }

  /** How many requests were done between two times, in seconds. */
  long done(double from, double to) {
    return count(done, from, to);
  }

  private static long count(List<Long> times, double from, double to) {
    return times.stream().filter(at -> at >= from * SECOND && at < to * SECOND).count();
  }

  /** The share of requests that was refused. */
  double refusedShare() {
    return (double) refused / sent.size();
  }

  /** The longest time between two requests, in seconds. */
  double longestSilence() {
    long longest = 0;
    for (int i = 1; i < sent.size(); i++) {
      longest = Math.max(longest, sent.get(i) - sent.get(i - 1));
    }
    return (double) longest / SECOND;
  }

  static Limit none() {
    return now -> 0;
  }

  /** A token bucket that is full at first. */
  static Limit bucket(double perSecond, double capacity) {
    return new Limit() {
      private double tokens = capacity;
      private long at;

      @Override
      public long ask(long now) {
        tokens = Math.min(capacity, tokens + (now - at) * perSecond / SECOND);
        at = now;
        if (tokens >= 1) {
          tokens--;
          return 0;
        }
        return Math.max(1, (long) ((1 - tokens) / perSecond * SECOND));
      }
    };
  }

  /** So many in each period of the clock. */
  static Limit fixed(int limit, long period) {
    return new Limit() {
      private long window;
      private int count;

      @Override
      public long ask(long now) {
        if (now / period != window) {
          window = now / period;
          count = 0;
        }
        return count++ < limit ? 0 : (window + 1) * period - now;
      }
    };
  }

  /** So many in each period, which begins with a request. */
  static Limit fixedFromFirst(int limit, long period) {
    return new Limit() {
      private long end;
      private int count;

      @Override
      public long ask(long now) {
        if (now >= end) {
          end = now + period;
          count = 0;
        }
        return count++ < limit ? 0 : end - now;
      }
    };
  }

  /** So many in any period. */
  static Limit sliding(int limit, long period) {
    Deque<Long> granted = new ArrayDeque<>();
    return now -> {
      while (!granted.isEmpty() && now - granted.getFirst() >= period) {
        granted.removeFirst();
      }
      if (granted.size() < limit) {
        granted.add(now);
        return 0;
      }
      return granted.getFirst() + period - now;
    };
  }
}
