package dev.sluice.collect.run;

import dev.sluice.collect.connector.Provider;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.LaneMemory;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What one run sees of its lane, and what it leaves behind for the next: pressure that it met
 * itself arms the cooldown, a success ends it. Thread-safe.
 */
final class LaneUse implements GateListener {
  private static final Duration SAVED_EVERY = Duration.ofSeconds(1);

  /** A provider that serves so many others is healthy. */
  private static final int OTHERS = 5;

  /** As bits: the last attempts among which there are two of a record that fails, and others. */
  private static final int RECENT = (1 << (OTHERS + 2)) - 1;

  /** An answer that takes so many times as long as the slowest of the last ones is lost. */
  private static final long LONGER = 4;

  private static final long LEAST_PATIENCE = TimeUnit.SECONDS.toNanos(3);

  /** So many answers have to be known. */
  private static final int LEAST_KNOWN = 8;

  /** A stream without a success through so many openings of the circuit is left for later. */
  private static final int MOST_OPENINGS = 8;

  private final String lane;
  private final long run;
  private final LaneMemory memory;
  private final Gate gate;
  private final Time time;
  private final LaneHolds holds;
  private final AtomicReference<@Nullable Long> pressed = new AtomicReference<>();
  private final AtomicReference<@Nullable Long> succeeded = new AtomicReference<>();
  private final AtomicBoolean everPressed = new AtomicBoolean();
  private final AtomicLong successes = new AtomicLong();
  private final AtomicInteger recent = new AtomicInteger(); // one bit for each; 1: a success
  private final AtomicLong openings = new AtomicLong();
  private final Map<String, Unserved> unserved = new ConcurrentHashMap<>();
  private final Map<String, Durations> durations = new ConcurrentHashMap<>();
  private final AtomicLong savedAt;

  LaneUse(Provider provider, long run, ProviderGates gates, Gate gate) {
    this.lane = provider.lane();
    this.run = run;
    this.memory = gates.memory();
    this.gate = gate;
    this.time = gate.time();
    this.savedAt = new AtomicLong(time.nanos());
    this.holds = new LaneHolds(provider, gates, gate);
  }

  /** Which lane. */
  String name() {
    return lane;
  }

  /** Somebody goes on in spite of a cooldown, which is written down. Before the gate is made. */
  static void override(Store store, String lane, long run) {
    store.write(
        transaction -> {
          Cooldown cooldown = Lanes.of(transaction, lane).cooldown();
          if (Lanes.override(transaction, lane)) {
            EvidenceLog.append(
                transaction,
                run,
                Evidence.Kind.COOLDOWN_OVERRIDDEN,
                Facts.NONE.with(Fact.CONSECUTIVE, cooldown.consecutive()));
          }
          return null;
        });
  }

  /**
   * Looks whether anything may be sent; what other processes were told meanwhile holds here, too.
   *
   * @return why not; null if it may
   */
  @Nullable Stop closed(Store store) {
    Known looked = known(store);
    LaneRecord known = looked.lane;
    gate.hold(lane, Duration.between(looked.at, known.holdUntil()));
    if (known.stopped().isPresent()) {
      return new Stop.Failed(
          Reason.of(known.stopped().get()),
          "nothing is sent on lane %s until somebody has acted: sluice status --reopen %s"
              .formatted(lane, ShellWord.quoted(lane)));
    }
    Cooldown cooldown = known.cooldown();
    if (!cooldown.stands(looked.at)) {
      return null;
    }
    return new Stop.Deferred(
        cooldown.reason().orElse(Reason.Pressure.RATE_LIMITED),
        "it is left alone until %s, after %s"
            .formatted(
                cooldown.until(),
                cooldown.consecutive() == 1
                    ? "one time of pressure"
                    : "%d times of pressure in a row".formatted(cooldown.consecutive())));
  }

  /** Who has to wait on the lane. */
  LaneHolds holds() {
    return holds;
  }

  /** What the store knew of the lane, and when, on its own clock. */
  private record Known(LaneRecord lane, Instant at) {}

  private Known known(Store store) {
    return store.read(transaction -> new Known(Lanes.of(transaction, lane), transaction.now()));
  }

  /** A moment of this process's monotonic clock on that of the store. */
  private Instant at(long nanos, Transaction transaction) {
    return transaction.now().minusMillis(Duration.ofNanos(time.nanos() - nanos).toMillis());
  }

  /**
   * An answer has come, or the lack of one.
   *
   * @param sent when its request was sent: one that was under way when pressure came ends nothing
   */
  void settled(Signal signal, long sent) {
    switch (signal) {
      case Signal.Throttled throttled -> press();
      case Signal.Transient failure -> press();
      case Signal.Success success -> {
        successes.incrementAndGet();
        note(1);
        succeeded.set(time.nanos());
        pressed.updateAndGet(last -> last != null && last - sent > 0 ? last : null);
      }
      case Signal.Answered answered -> {}
      case Signal.Rejected rejected -> {}
      case Signal.Stopped stopped -> {}
      case Signal.Cancelled cancelled -> {}
    }
  }

  private void note(int bit) {
    int unused = recent.updateAndGet(last -> (last << 1 | bit) & RECENT);
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
    return successes.get() - before >= OTHERS || Integer.bitCount(recent.get()) >= OTHERS;
  }

  /** Whether the last that the run saw of the provider was a success. */
  boolean isHealthy() {
    return successes.get() > 0 && pressed.get() == null;
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
    private final long[] ring = new long[32];
    private int count;

    synchronized void add(long nanos) {
      ring[count++ % ring.length] = nanos;
    }

    synchronized long longest() {
      return count < LEAST_KNOWN ? Time.NEVER : LongStream.of(ring).max().orElse(Time.NEVER);
    }
  }

  /** A request of a stream was answered so long after it was sent. */
  void took(String stream, long nanos) {
    durations.computeIfAbsent(stream, name -> new Durations()).add(nanos);
  }

  /** How long an answer of a stream takes at most, by those that came: others got lost. */
  Duration patience(String stream) {
    Durations known = durations.get(stream);
    long longest = known == null ? Time.NEVER : known.longest();
    return longest > Time.NEVER / LONGER
        ? Duration.ofNanos(Time.NEVER)
        : Duration.ofNanos(Math.max(LEAST_PATIENCE, LONGER * longest));
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
    if (event instanceof GateEvent.CircuitMoved moved
        && moved.transition().state() == CircuitState.OPEN) {
      openings.incrementAndGet();
    }
  }

  private void press() {
    note(0);
    pressed.set(time.nanos());
    everPressed.set(true);
  }

  /** An answer throttled one record or one stream: the lane as a whole is not under pressure. */
  void pressedAlone() {
    everPressed.set(true);
  }

  /** Whether any answer of this run told of pressure, or none came. */
  boolean wasPressed() {
    return everPressed.get();
  }

  /**
   * Keeps what the run has learned of the lane, with the commit of a slice; now and then, because
   * slices may be many, and whoever is killed may lose what it learned of the last second.
   */
  void saveNowAndThen(Transaction transaction) {
    long now = time.nanos();
    if (now - savedAt.get() >= SAVED_EVERY.toNanos()) {
      savedAt.set(now);
      save(transaction);
    }
  }

  /** Keeps what the run has learned of the lane. */
  void save(Transaction transaction) {
    memory.save(transaction, lane);
    saveSuccess(transaction);
  }

  /** The run is about to end: what it was told and the store could not take is written now. */
  void settle() {
    memory.settle();
  }

  /** The run ends: what it has learned is kept, and holds that are over are forgotten. */
  void end(Transaction transaction) {
    save(transaction);
    Lanes.forgetParts(transaction, lane);
  }

  private void saveSuccess(Transaction transaction) {
    Long success = succeeded.getAndSet(null);
    if (success != null) {
      Lanes.succeeded(transaction, lane, at(success, transaction))
          .ifPresent(
              ended ->
                  EvidenceLog.append(
                      transaction,
                      run,
                      Evidence.Kind.COOLDOWN_CLEARED,
                      Facts.NONE.with(Fact.CONSECUTIVE, ended.consecutive())));
    }
  }

  /**
   * A run is deferred: arms the cooldown if it met the pressure itself.
   *
   * @return when the rest may be taken up
   */
  Instant deferred(Transaction transaction, Reason.Pressure reason) {
    Long last = pressed.get();
    saveSuccess(transaction); // it came before the pressure, and ends the row of those before
    LaneRecord known = Lanes.of(transaction, lane);
    Instant now = transaction.now();
    Cooldown cooldown =
        last == null
            ? known.cooldown()
            : Lanes.press(
                transaction,
                lane,
                reason,
                at(last, transaction),
                Optional.of(known.holdUntil()).filter(now::isBefore));
    if (!cooldown.equals(known.cooldown())) {
      EvidenceLog.append(
          transaction,
          run,
          Evidence.Kind.COOLDOWN_ARMED,
          Facts.NONE
              .with(reason)
              .with(Fact.HELD_MS, cooldown.remaining(now))
              .with(Fact.CONSECUTIVE, cooldown.consecutive()));
    }
    Instant due =
        cooldown.until().isAfter(known.holdUntil()) ? cooldown.until() : known.holdUntil();
    return due.isAfter(now) ? due : now;
  }

  /**
   * Once the cooldown is stored: other collections of this process leave the provider alone, too.
   */
  void rest(Store store) {
    Known known = known(store);
    gate.hold(lane, known.lane.cooldown().remaining(known.at));
  }
}
