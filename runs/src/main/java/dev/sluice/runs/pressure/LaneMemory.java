package dev.sluice.runs.pressure;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.learning.LearnedPolicy;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.pacing.HintedPolicy;
import dev.sluice.control.pacing.PacedPolicy;
import dev.sluice.control.pacing.PacerOptions;
import dev.sluice.control.pacing.WarmStart;
import dev.sluice.control.policy.Policy;
import dev.sluice.gate.Gate;
import dev.sluice.gate.GateEvent;
import dev.sluice.gate.GateListener;
import dev.sluice.gate.HoldCause;
import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Lets the lanes of gates outlive their process: what a provider asked for, and what was learned of
 * it, is there again for whoever comes next.
 *
 * <p>For each lane: make its options here ({@link #learning} or {@link #paced}), let this listen to
 * the gate, and {@link #begin} before anything is sent. A hold, a stop or a move of the circuit is
 * in the store before the settlement that brought it returns. What was learned is {@linkplain #save
 * saved} along with other work, and at the {@linkplain #end end}.
 *
 * <p>Thread-safe. It must not be told of a settlement from within work on the store.
 */
public final class LaneMemory implements GateListener {
  private static final long MILLISECOND = 1_000_000; // nanoseconds
  private static final long ROUNDED = 100; // milliseconds

  private final Store store;
  private final Time time;
  private final Map<String, Learned> learned = new ConcurrentHashMap<>();
  private final Map<String, Gate> gates = new ConcurrentHashMap<>();
  private final Map<String, Sharing> sharing = new ConcurrentHashMap<>();
  private final Holder process = Holder.self();
  private final String self;

  /** Until when each lane is held, as far as this process has told the store. */
  private final Map<String, Told> held = new ConcurrentHashMap<>();

  /** What the store could not take; written before the next request. */
  private final Queue<Runnable> unwritten = new ConcurrentLinkedQueue<>();

  /**
   * A memory in a store.
   *
   * @param time of the gates
   */
  public LaneMemory(Store store, Time time) {
    this.store = store;
    this.time = time;
    this.self = Long.toHexString(time.random().nextLong());
  }

  /**
   * What a lane has learned since.
   *
   * @param rate that was proven
   * @param at when, in monotonic nanoseconds
   * @param profile all that was learned; null if that is the rate alone
   */
  private record Learned(double rate, long at, @Nullable Profile profile) {}

  /** How many processes use a lane, and when this one last said that it does. */
  private static final class Sharing {
    private final AtomicInteger processes = new AtomicInteger(1);
    private final AtomicLong said = new AtomicLong();
  }

  private Sharing sharing(String lane) {
    return sharing.computeIfAbsent(lane, name -> new Sharing());
  }

  /**
   * Options of a lane whose provider nothing is known of but what was learned here: it starts with
   * what was learned, trusted the less the older it is, or else carefully.
   */
  public LaneOptions learning(String lane) {
    Known known = recorded(lane);
    Profile profile =
        known
            .found
            .profile()
            .flatMap(
                learned ->
                    known
                        .found
                        .proven()
                        .map(rate -> learned.aged(Duration.between(rate.at(), known.at))))
            .orElse(null);
    return LaneOptions.learning()
        .withPolicy(
            now -> {
              LearnedPolicy policy = new LearnedPolicy(profile, now);
              return new WatchedPolicy(
                  shared(lane, new HintedPolicy(policy), now),
                  at -> note(lane, policy.profile(), at));
            });
  }

  private Policy shared(String lane, Policy policy, long now) {
    return new SharedPolicy(policy, sharing(lane).processes::get, now);
  }

  private void note(String lane, @Nullable Profile profile, long at) {
    if (profile != null) {
      Learned unused = learned.put(lane, new Learned(profile.rate(), at, profile));
    }
  }

  /** Options of a lane that is paced within these bounds, and starts as {@link #learning}. */
  public LaneOptions paced(String lane, PacerOptions options) {
    WarmStart warm = warm(recorded(lane));
    return LaneOptions.paced(options)
        .withPolicy(
            now -> {
              PacedPolicy policy = new PacedPolicy(options, warm, now);
              return new WatchedPolicy(
                  shared(lane, policy, now), at -> note(lane, policy.pacer().proven()));
            });
  }

  private void note(String lane, Optional<WarmStart> proven) {
    proven.ifPresent(
        rate -> {
          Learned unused = learned.put(lane, new Learned(rate.rate(), rate.provenAt(), null));
        });
  }

  private @Nullable WarmStart warm(Known known) {
    return known
        .found
        .proven()
        .map(
            rate ->
                new WarmStart(
                    rate.rate(),
                    time.nanos() - Time.after(0, Duration.between(rate.at(), known.at))))
        .orElse(null);
  }

  private Known recorded(String lane) {
    return store.read(transaction -> new Known(Lanes.of(transaction, lane), transaction.now()));
  }

  /** What was known of a lane, and when, on the store's clock. */
  private record Known(LaneRecord found, Instant at) {}

  /**
   * Somebody begins to use a lane: the gate sends nothing through it before the stored hold and
   * cooldown have ended, finds its circuit as it was left, and divides its rate among the processes
   * that use it. A burst that an earlier process may have spent needs no memory: paced lanes begin
   * without one. Nor do hints about a quota: what is used up is a hold, and the first answer tells
   * the rest again.
   *
   * @return what was known of it. If it is {@linkplain LaneRecord#stopped stopped}, the caller must
   *     send nothing: a gate can only be stopped by an answer
   */
  public LaneRecord begin(Gate gate, String lane) {
    Known known =
        store.write(
            transaction -> {
              LaneRecord found = Lanes.of(transaction, lane);
              Lanes.begun(transaction, lane);
              say(transaction, lane);
              return new Known(found, transaction.now());
            });
    LaneRecord before = known.found;
    gates.put(lane, gate);
    gate.hold(lane, before.held(known.at));
    before.circuit().ifPresent(move -> gate.restoreCircuit(lane, move.fact(), move.age(known.at)));
    return before;
  }

  private void say(Transaction transaction, String lane) {
    Sharing shared = sharing(lane);
    shared.said.set(time.nanos());
    shared.processes.set(LaneUsers.say(transaction, lane, process, self));
  }

  /**
   * Something is about to be sent: other processes hear now and then that this one uses the lane.
   * What the store could not take when it happened is {@linkplain #settle written} first: nothing
   * is sent on what others cannot know.
   */
  public void use(String lane) {
    settle();
    long said = sharing(lane).said.get();
    long now = time.nanos();
    if (now - said >= LaneUsers.SAID_EVERY.toNanos()
        && sharing(lane).said.compareAndSet(said, now)) {
      write(transaction -> say(transaction, lane));
    }
  }

  /** Writes what the store could not take when it happened, if there is any of it. */
  public void settle() {
    for (Runnable entry; (entry = unwritten.peek()) != null; unwritten.remove(entry)) {
      entry.run();
    }
  }

  /**
   * How long a lane and one of its routes are held by what another process was told, or by a
   * cooldown that another run armed, as the store has it. Who is free, or held by no more than this
   * process knows, is left out.
   */
  public Map<String, Duration> heldElsewhere(String lane, String route) {
    return store.look(
        transaction -> {
          Map<String, Duration> found = new HashMap<>();
          Instant now = transaction.now();
          for (Lanes.Held each : Lanes.held(transaction, lane, route, now)) {
            Told told = held.get(each.name());
            if (told == null || each.until().isAfter(told.until)) {
              found.put(each.name(), Duration.between(now, each.until()));
            }
          }
          return found;
        });
  }

  /**
   * What has no gate of its own, such as one route of a lane, is not to be used for so long from
   * now; {@link #heldElsewhere} tells other processes, under the same name.
   */
  public void holdPart(String lane, String name, Duration length, HoldCause cause) {
    hold(
        name,
        length,
        (transaction, until) -> Lanes.holdPart(transaction, lane, name, until, cause));
  }

  /** No lane of which the store knows is to be used for so long from now. */
  public void holdAll(Duration length) {
    long end = time.deadline(length);
    write(transaction -> Lanes.holdAll(transaction, until(transaction, end)));
  }

  /** Writes what was learned of a lane since; for the transaction of other work. */
  public void save(Transaction transaction, String lane) {
    Learned latest = learned.get(lane);
    if (latest != null) {
      Instant at = transaction.now().minusNanos(Math.max(0, time.nanos() - latest.at));
      Lanes.proven(transaction, lane, new ProvenRate(latest.rate, at));
      if (latest.profile != null) {
        Lanes.learned(transaction, lane, latest.profile);
      }
    }
  }

  /** Whoever used a lane has come to an end; saves it, too. */
  public void end(Transaction transaction, String lane) {
    save(transaction, lane);
    LaneUsers.leave(transaction, lane, process, self);
  }

  @Override
  public void onEvent(GateEvent event) {
    switch (event) {
      case GateEvent.Held hold ->
          hold(
              hold.lane(),
              hold.remaining(),
              (transaction, until) -> Lanes.hold(transaction, hold.lane(), until, hold.cause()));
      case GateEvent.LaneStopped stop ->
          keep(() -> write(transaction -> Lanes.stop(transaction, stop.lane(), stop.reason())));
      case GateEvent.CircuitMoved move ->
          keep(
              () ->
                  write(transaction -> Lanes.circuit(transaction, move.lane(), move.transition())));
      case GateEvent.Throttled throttled -> {}
      case GateEvent.Paced paced -> {}
      case GateEvent.Slowed slowed -> {}
      case GateEvent.ParallelismChanged changed -> {}
      case GateEvent.Retried retried -> {}
      case GateEvent.Refused refused -> {}
    }
  }

  /** A hold of which the store was told: until when, on its clock and on this process's own. */
  private record Told(Instant until, long end) {}

  /** How a hold becomes a row. */
  @FunctionalInterface
  private interface HoldEntry {
    void in(Transaction transaction, Instant until);
  }

  // Kept in tenths of a second, rounded up: a throttle is often told to many requests in flight,
  // each a moment later, and should not cost a commit each time. Who was told waits as long as the
  // others: what the store has may be another's word.
  private void hold(String name, Duration length, HoldEntry entry) {
    long end = time.deadline(length);
    Told before = held.get(name);
    if (before != null && end - before.end <= 0) {
      return;
    }
    keep(() -> hold(name, end, entry));
  }

  private void hold(String name, long end, HoldEntry entry) {
    Told told =
        store.write(
            transaction -> {
              Instant until = until(transaction, end);
              entry.in(transaction, until);
              return new Told(until, time.deadline(Duration.between(transaction.now(), until)));
            });
    Told unused =
        held.merge(name, told, (one, other) -> one.until.isAfter(other.until) ? one : other);
    Gate gate = gates.get(name);
    if (gate != null) {
      gate.hold(name, Duration.ofNanos(told.end - time.nanos()));
    }
  }

  /**
   * A moment of the monotonic clock on that of the store. Its milliseconds are cut off, so that a
   * finer clock is ahead of it by up to one.
   */
  private Instant until(Transaction transaction, long end) {
    Instant now = time.instant();
    long cutOff = now.equals(now.truncatedTo(ChronoUnit.MILLIS)) ? 0 : 1;
    long left = Math.ceilDiv(Math.max(0, end - time.nanos()), MILLISECOND) + cutOff;
    return Instant.ofEpochMilli(
        Math.ceilDiv(transaction.now().toEpochMilli() + left, ROUNDED) * ROUNDED);
  }

  /** What is written and has no result. */
  @FunctionalInterface
  private interface Entry {
    void in(Transaction transaction);
  }

  /** Writes what others must know; if the store cannot, before anything else is sent. */
  private void keep(Runnable entry) {
    try {
      entry.run();
    } catch (StoreException e) {
      unwritten.add(entry);
      throw e;
    }
  }

  private void write(Entry entry) {
    store.write(
        transaction -> {
          entry.in(transaction);
          return null;
        });
  }
}
