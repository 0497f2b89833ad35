package dev.sluice.collect.run;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.LongStream;

/**
 * What a run's requests met, and what follows from it: whether the provider serves others, how long
 * its answers take, and which stream is left for later. Thread-safe.
 */
final class Traffic implements GateListener {
  /** A provider that serves so many others is healthy. */
  private static final int OTHERS = 5;

  /** As bits: the last attempts among which there are two of a record that fails, and others. */
  private static final int RECENT = (1 << (OTHERS + 2)) - 1;

  /** In the place of a stream: all of them. */
  private static final String ALL = "";

  /** An answer that takes so many times as long as the slowest of the last ones is lost. */
  private static final long LONGER = 4;

  private static final long MIN_TIMEOUT = TimeUnit.SECONDS.toNanos(3);

  /** So many answers have to be known. */
  private static final int LEAST_KNOWN = 8;

  /** A stream without a success through so many openings of the circuit is left for later. */
  private static final int MOST_OPENINGS = 8;

  private final WaitClock waits;
  private final AtomicLong successes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong retries = new AtomicLong();

  /** The last 32 attempts of each stream and of {@link #ALL}, one bit for each; 1: a success. */
  private final Map<String, Integer> recent = new ConcurrentHashMap<>();

  private final AtomicLong openings = new AtomicLong();
  private final Map<String, Unserved> unserved = new ConcurrentHashMap<>();
  private final Map<String, Durations> durations = new ConcurrentHashMap<>();

  Traffic(Gate gate) {
    this.waits = new WaitClock(gate);
  }

  /** For what its requests wait. */
  WaitClock waits() {
    return waits;
  }

  /** All that is told of it. */
  RequestCounts counts() {
    return new RequestCounts(refused.get(), failed.get(), retries.get(), waits.waited());
  }

  /** An answer has come, or the lack of one. */
  void settled(Signal signal) {
    switch (signal) {
      case Signal.Success success -> successes.incrementAndGet();
      case Signal.Throttled throttled -> refused.incrementAndGet();
      case Signal.Transient failure -> failed.incrementAndGet();
      case Signal.Answered answered -> {}
      case Signal.Rejected rejected -> {}
      case Signal.Stopped stopped -> {}
      case Signal.Cancelled cancelled -> {}
    }
  }

  /** What is known to fail has failed again: no reason to doubt the provider. */
  void failedAgain() {
    failed.incrementAndGet();
  }

  /**
   * What an attempt tells of the provider's health.
   *
   * @param knownToFail whether it was for a record that is known to fail: then only a success tells
   */
  void noteHealth(String stream, Signal signal, boolean knownToFail) {
    if (signal instanceof Signal.Success) {
      note(stream, 1);
    } else if (!knownToFail
        && (signal instanceof Signal.Throttled || signal instanceof Signal.Transient)) {
      note(stream, 0);
    }
  }

  /** A request took so many attempts more than one. */
  void retried(long attempts) {
    retries.addAndGet(Math.max(0, attempts));
  }

  private void note(String stream, int bit) {
    for (String each : List.of(stream, ALL)) {
      Integer unused = recent.merge(each, bit, (last, next) -> last << 1 | next);
    }
  }

  /** How many requests of the run succeeded. */
  long successes() {
    return successes.get();
  }

  /**
   * Whether the provider serves others than the one that failed just now: enough of them since that
   * one began, or most of the last attempts of all.
   *
   * @param before how many had succeeded when it began
   */
  boolean servesOthers(long before) {
    return successes.get() - before >= OTHERS || servesOthersOf(ALL);
  }

  /** Whether the provider serves others of a stream than the records that are known to fail. */
  boolean servesOthersOf(String stream) {
    return Integer.bitCount(recent.getOrDefault(stream, 0) & RECENT) >= OTHERS;
  }

  /** Whether the provider has served anybody lately. */
  boolean servesAnybody() {
    return recent.getOrDefault(ALL, 0) != 0;
  }

  /**
   * A stream without a success since some requests.
   *
   * @param openings how often the circuit opened while it was asked for
   * @param last the number of the last of them
   * @param successes how many requests of all streams had succeeded by then
   */
  private record Unserved(long openings, long last, long successes) {}

  /** How long a stream's last answers took, in nanoseconds, in a ring. */
  private static final class Durations {
    private final ReentrantLock lock = new ReentrantLock();
    private final long[] ring = new long[32];
    private int count;

    void add(long nanos) {
      lock.lock();
      try {
        ring[count++ % ring.length] = nanos;
      } finally {
        lock.unlock();
      }
    }

    long longest() {
      lock.lock();
      try {
        return count < LEAST_KNOWN ? Time.NEVER : LongStream.of(ring).max().orElse(Time.NEVER);
      } finally {
        lock.unlock();
      }
    }
  }

  /** A request of a stream was answered so long after it was sent. */
  void took(String stream, long nanos) {
    durations.computeIfAbsent(stream, name -> new Durations()).add(nanos);
  }

  /** How long an answer of a stream takes at most, by those that came: others got lost. */
  Duration timeout(String stream) {
    Durations known = durations.get(stream);
    long longest = known == null ? Time.NEVER : known.longest();
    return longest > Time.NEVER / LONGER
        ? Duration.ofNanos(Time.NEVER)
        : Duration.ofNanos(Math.max(MIN_TIMEOUT, LONGER * longest));
  }

  /** How often the circuit has opened. */
  long openings() {
    return openings.get();
  }

  /** A request of a stream has succeeded. */
  void served(String stream) {
    Unserved unused = unserved.remove(stream);
  }

  /**
   * A request of a stream had no success.
   *
   * @param before how often the circuit had opened when it began
   */
  void notServed(String stream, long before) {
    long now = openings.get();
    Unserved unused =
        unserved.merge(
            stream,
            new Unserved(now - before, now, successes.get()),
            (last, next) ->
                new Unserved(
                    last.openings + now - Math.max(before, last.last), now, last.successes));
  }

  /**
   * Sees whether a stream is to be asked for.
   *
   * @throws StreamFailsException if it had no success through too many openings of the circuit
   */
  void requireServed(String stream) {
    Unserved since = unserved.get(stream);
    if (since != null && since.openings >= MOST_OPENINGS) {
      throw new StreamFailsException(stream, since.openings, successes.get() > since.successes);
    }
  }

  @Override
  public void onEvent(GateEvent event) {
    waits.onEvent(event);
    if (event instanceof GateEvent.CircuitMoved moved
        && moved.transition().state() == CircuitState.OPEN) {
      openings.incrementAndGet();
    }
  }
}
