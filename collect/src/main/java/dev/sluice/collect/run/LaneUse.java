package dev.sluice.collect.run;

import dev.sluice.collect.connector.Provider;
import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.policy.Figures;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Gate;
import dev.sluice.gate.time.Time;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.evidence.Evidence;
import dev.sluice.runs.evidence.EvidenceLog;
import dev.sluice.runs.evidence.Fact;
import dev.sluice.runs.evidence.Facts;
import dev.sluice.runs.pressure.Cooldown;
import dev.sluice.runs.pressure.LaneMemory;
import dev.sluice.runs.pressure.LaneNow;
import dev.sluice.runs.pressure.LaneRecord;
import dev.sluice.runs.pressure.Lanes;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one run sees of its lane, and what it leaves behind for the next: pressure that it met
 * itself arms the cooldown, a success ends it. Thread-safe.
 */
final class LaneUse {
  private static final Duration SAVED_EVERY = Duration.ofSeconds(1);

  /** An answer that takes longer is told to people. */
  private static final Duration LATE = Duration.ofSeconds(5);

  private final String lane;
  private final long run;
  private final LaneMemory memory;
  private final Gate gate;
  private final Time time;
  private final LaneHolds holds;
  private final Traffic traffic;
  private final Supplier<Duration> unanswered;
  private final AtomicReference<@Nullable Long> pressed = new AtomicReference<>();
  private final AtomicReference<@Nullable Long> succeeded = new AtomicReference<>();
  private final AtomicBoolean everPressed = new AtomicBoolean();
  private final AtomicLong savedAt;

  /**
   * A run's use of its provider's lane.
   *
   * @param unanswered how long the oldest request has been under way
   */
  LaneUse(
      Provider provider, long run, ProviderGates gates, Gate gate, Supplier<Duration> unanswered) {
    this.lane = provider.lane();
    this.run = run;
    this.memory = gates.memory();
    this.gate = gate;
    this.time = gate.time();
    this.savedAt = new AtomicLong(time.nanos());
    this.holds = new LaneHolds(provider, gates, gate);
    this.traffic = new Traffic(gate);
    this.unanswered = unanswered;
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

  /** What the run's requests met. */
  Traffic traffic() {
    return traffic;
  }

  /** What the lane does now. */
  LaneStatistics statistics() {
    return gate.statistics().lanes().getFirst();
  }

  /** Why the run is no faster, in a sentence; empty if nothing slows it down. */
  Optional<String> reason() {
    LaneStatistics now = statistics();
    return switch (now.slowedBy()) {
      case STOP, CIRCUIT, HOLD, PROBING -> Optional.of(now.reason());
      default ->
          traffic
              .waits()
              .reason()
              .or(this::missedAnswer)
              .or(() -> Optional.of(now.reason()).filter(reason -> !reason.isEmpty()));
    };
  }

  private Optional<String> missedAnswer() {
    return Optional.of(unanswered.get())
        .filter(wait -> wait.compareTo(LATE) > 0)
        .map(wait -> "waiting %s for an answer".formatted(Figures.time(wait.toNanos())));
  }

  /** Tells other processes how fast the run is, and why no faster. */
  void say(Transaction transaction) {
    LaneStatistics now = statistics();
    LaneNow.say(transaction, lane, reason().orElse(""), now.measuredRate(), now.rate());
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
    traffic.settled(signal);
    switch (signal) {
      case Signal.Throttled throttled -> press();
      case Signal.Transient failure -> press();
      case Signal.Success success -> {
        succeeded.set(time.nanos());
        pressed.updateAndGet(last -> last != null && last - sent > 0 ? last : null);
      }
      case Signal.Answered answered -> {}
      case Signal.Rejected rejected -> {}
      case Signal.Stopped stopped -> {}
      case Signal.Cancelled cancelled -> {}
    }
  }

  /**
   * Whether the provider is known to serve others: only then it says nothing about the provider
   * that a record fails again. A probe of an open circuit always says something.
   */
  boolean isServing() {
    return traffic.servesAnybody() && statistics().circuit() == CircuitState.CLOSED;
  }

  private void press() {
    pressed.set(time.nanos());
    everPressed.set(true);
  }

  /** An answer throttled one record or one stream: the lane as a whole is not under pressure. */
  void pressedAlone(Signal.Throttled throttled) {
    traffic.settled(throttled);
    everPressed.set(true);
  }

  /** Whether any answer of this run told of pressure, or none came. */
  boolean wasPressed() {
    return everPressed.get();
  }

  /** Whether it is time to save again: slices may be many. */
  boolean isSaveDue() {
    long now = time.nanos();
    boolean due = now - savedAt.get() >= SAVED_EVERY.toNanos();
    if (due) {
      savedAt.set(now);
    }
    return due;
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
