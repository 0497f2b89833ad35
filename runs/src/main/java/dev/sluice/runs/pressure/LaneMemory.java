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
import dev.sluice.gate.time.Time;
import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
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
  private final Store store;
  private final Time time;
  private final Map<String, Learned> learned = new ConcurrentHashMap<>();

  private final Map<String, AtomicLong> resting = new ConcurrentHashMap<>();
  private final Map<String, Gate> gates = new ConcurrentHashMap<>();
  private final Map<String, Sharing> sharing = new ConcurrentHashMap<>();
  private final Holder process = Holder.self();
  private final String self;

  /** Until when each lane is held, as the store has it. */
  private final Map<String, Instant> held = new ConcurrentHashMap<>();

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
   * what was proven lately, or else carefully.
   */
  public LaneOptions learning(String lane) {
    LaneRecord record = recorded(lane);
    Profile profile =
        record.proven().filter(rate -> rate.isFresh(time.instant())).isPresent()
            ? record.profile().orElse(null)
            : null;
    return LaneOptions.learning()
        .withPolicy(
            now -> {
              LearnedPolicy policy = new LearnedPolicy(profile, now);
              return new WatchedPolicy(
                  shared(lane, new HintedPolicy(policy, now), now),
                  at -> note(lane, policy.profile(), at),
                  rest(lane));
            });
  }

  private Policy shared(String lane, Policy policy, long now) {
    return new SharedPolicy(policy, sharing(lane).processes::get, now);
  }

  private LongConsumer rest(String lane) {
    AtomicLong until = resting.computeIfAbsent(lane, name -> new AtomicLong(time.nanos()));
    return until::set;
  }

  /**
   * How long a lane's own policy lets nothing start: its pace, or its caution after refusals. Zero
   * if something may, or if the lane's options were not made here.
   */
  public Duration rests(String lane) {
    AtomicLong until = resting.get(lane);
    return Duration.ofNanos(until == null ? 0 : Math.max(0, until.get() - time.nanos()));
  }

  private void note(String lane, @Nullable Profile profile, long at) {
    if (profile != null) {
      Learned unused = learned.put(lane, new Learned(profile.rate(), at, profile));
    }
  }

  /** Options of a lane that is paced within these bounds, and starts as {@link #learning}. */
  public LaneOptions paced(String lane, PacerOptions options) {
    Optional<ProvenRate> proven = recorded(lane).proven();
    return LaneOptions.paced(options)
        .withPolicy(
            now -> {
              PacedPolicy policy =
                  new PacedPolicy(options, proven.map(rate -> warm(rate, now)).orElse(null), now);
              return new WatchedPolicy(
                  shared(lane, policy, now), at -> note(lane, policy.pacer().proven()), rest(lane));
            });
  }

  private void note(String lane, Optional<WarmStart> proven) {
    proven.ifPresent(
        rate -> {
          Learned unused = learned.put(lane, new Learned(rate.rate(), rate.provenAt(), null));
        });
  }

  private WarmStart warm(ProvenRate proven, long now) {
    return new WarmStart(
        proven.rate(), now - Time.after(0, Duration.between(proven.at(), time.instant())));
  }

  private LaneRecord recorded(String lane) {
    return store.read(transaction -> Lanes.of(transaction, lane));
  }

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
    Begun begun =
        store.write(
            transaction -> {
              LaneRecord found = Lanes.of(transaction, lane);
              Lanes.begun(transaction, lane);
              say(transaction, lane);
              return new Begun(found, transaction.now());
            });
    LaneRecord before = begun.found;
    gates.put(lane, gate);
    gate.hold(lane, before.held(time.instant()));
    before.circuit().ifPresent(move -> gate.restoreCircuit(lane, move.fact(), move.age(begun.now)));
    return before;
  }

  /** What was known of a lane, and when, on the store's clock. */
  private record Begun(LaneRecord found, Instant now) {}

  private void say(Transaction transaction, String lane) {
    Sharing shared = sharing(lane);
    shared.said.set(time.nanos());
    shared.processes.set(LaneUsers.say(transaction, lane, process, self));
  }

  /**
   * Something is about to be sent: other processes hear now and then that this one uses the lane.
   */
  public void use(String lane) {
    long said = sharing(lane).said.get();
    long now = time.nanos();
    if (now - said >= LaneUsers.SAID_EVERY.toNanos()
        && sharing(lane).said.compareAndSet(said, now)) {
      write(transaction -> say(transaction, lane));
    }
  }

  /**
   * How long a lane and one of its routes are held by what another process was told, or by a
   * cooldown that another run armed, as the store has it. Who is free, or held by no more than this
   * process knows, is left out.
   */
  public Map<String, Duration> heldElsewhere(String lane, String route) {
    Map<String, Duration> found = new HashMap<>();
    Instant now = time.instant();
    for (Lanes.Held each : store.look(transaction -> Lanes.held(transaction, lane, route, now))) {
      if (each.until().isAfter(held.getOrDefault(each.name(), Instant.EPOCH))) {
        found.put(each.name(), Duration.between(now, each.until()));
      }
    }
    return found;
  }

  /**
   * What has no gate of its own, such as one route of a lane, is not to be used for so long from
   * now; {@link #heldElsewhere} tells other processes, under the same name.
   */
  public void hold(String name, Duration length) {
    hold(name, time.instant().plus(length));
  }

  /** No lane of which the store knows is to be used for so long from now. */
  public void holdAll(Duration length) {
    Instant rounded = rounded(time.instant().plus(length));
    write(transaction -> Lanes.holdAll(transaction, rounded));
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
      case GateEvent.Held hold -> hold(hold.lane(), time.instant().plus(hold.remaining()));
      case GateEvent.LaneStopped stop ->
          write(transaction -> Lanes.stop(transaction, stop.lane(), stop.reason()));
      case GateEvent.CircuitMoved move ->
          write(transaction -> Lanes.circuit(transaction, move.lane(), move.transition()));
      case GateEvent.Throttled throttled -> {}
      case GateEvent.Paced paced -> {}
      case GateEvent.ParallelismChanged changed -> {}
      case GateEvent.Retried retried -> {}
      case GateEvent.Refused refused -> {}
    }
  }

  // Kept in tenths of a second, rounded up: a throttle is often told to many requests in flight,
  // each a moment later, and should not cost a commit each time. Who was told waits as long as the
  // others: what the store has may be another's word.
  private void hold(String lane, Instant until) {
    if (until.isAfter(held.getOrDefault(lane, Instant.EPOCH))) {
      Instant rounded = rounded(until);
      write(transaction -> Lanes.hold(transaction, lane, rounded));
      Instant unused = held.merge(lane, rounded, (one, other) -> one.isAfter(other) ? one : other);
      Gate gate = gates.get(lane);
      if (gate != null) {
        gate.hold(lane, Duration.between(time.instant(), rounded));
      }
    }
  }

  private static Instant rounded(Instant until) {
    return Instant.ofEpochMilli(Math.ceilDiv(until.plusNanos(999_999).toEpochMilli(), 100) * 100);
  }

  /** What is written and has no result. */
  @FunctionalInterface
  private interface Entry {
    void in(Transaction transaction);
  }

  private void write(Entry entry) {
    store.write(
        transaction -> {
          entry.in(transaction);
          return null;
        });
  }
}
