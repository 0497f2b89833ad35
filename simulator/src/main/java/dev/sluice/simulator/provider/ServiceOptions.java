package dev.sluice.simulator.provider;

import dev.sluice.simulator.limit.LimitOptions;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * One account at a service that its clients cannot see into.
 *
 * @param limit what it allows
 * @param signal how it refuses
 * @param latency how long a request takes; not negative
 * @param jitter by how much that varies by chance: 0.1 for ± 10 %; 0 to below 1
 * @param knee how many running requests double it; infinite for no slow-down
 * @param changes when limits change, in order of time
 * @param neighbour the share of the limit that somebody else on the same credential asks for, at
 *     random; 0 to below 1
 * @param suspension when it throws the account out
 * @param misbehaviours in what it deviates from good manners
 * @param disturbances what goes wrong for other reasons than the limit
 */
public record ServiceOptions(
    LimitOptions limit,
    Signal signal,
    Duration latency,
    double jitter,
    double knee,
    List<Change> changes,
    double neighbour,
    Suspension suspension,
    Set<Misbehaviour> misbehaviours,
    Disturbances disturbances) {
  /** No limit, answers after 50 ms, and good manners. */
  public static final ServiceOptions DEFAULTS =
      new ServiceOptions(
          LimitOptions.UNLIMITED,
          Signal.RETRY_AFTER,
          Duration.ofMillis(50),
          0,
          Double.POSITIVE_INFINITY,
          List.of(),
          0,
          Suspension.NEVER,
          Set.of(),
          Disturbances.NONE);

  public ServiceOptions {
    if (latency.isNegative() || latency.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "latency is " + latency + ", but must be 0 to 1 h (how long a request takes)");
    }
    if (!(jitter >= 0 && jitter < 1)) {
      throw new IllegalArgumentException(
          "jitter is " + jitter + ", but must be 0 to below 1 (how much latency varies)");
    }
    if (!(knee > 0)) {
      throw new IllegalArgumentException(
          "knee is " + knee + ", but must be positive (the load that doubles latency)");
    }
    if (!(neighbour >= 0 && neighbour < 1)) {
      throw new IllegalArgumentException(
          "neighbour is "
              + neighbour
              + ", but must be 0 to below 1 (the share of the limit that somebody else asks for)");
    }
    changes = List.copyOf(changes);
    for (int i = 1; i < changes.size(); i++) {
      if (changes.get(i).after().compareTo(changes.get(i - 1).after()) < 0) {
        throw new IllegalArgumentException(
            "changes are not in order of time: %s follows %s"
                .formatted(changes.get(i), changes.get(i - 1)));
      }
    }
    EnumSet<Misbehaviour> ordered = EnumSet.noneOf(Misbehaviour.class);
    ordered.addAll(misbehaviours);
    misbehaviours = Collections.unmodifiableSet(ordered);
  }

  /** Whether it misbehaves in this way. */
  public boolean has(Misbehaviour misbehaviour) {
    return misbehaviours.contains(misbehaviour);
  }

  /** The same with another limit. */
  public ServiceOptions withLimit(LimitOptions value) {
    return new ServiceOptions(
        value,
        signal,
        latency,
        jitter,
        knee,
        changes,
        neighbour,
        suspension,
        misbehaviours,
        disturbances);
  }

  /** The same with another signal. */
  public ServiceOptions withSignal(Signal value) {
    return new ServiceOptions(
        limit,
        value,
        latency,
        jitter,
        knee,
        changes,
        neighbour,
        suspension,
        misbehaviours,
        disturbances);
  }

  /** The same with another latency, which varies by {@code variation}. */
  public ServiceOptions withLatency(Duration value, double variation) {
    return new ServiceOptions(
        limit,
        signal,
        value,
        variation,
        knee,
        changes,
        neighbour,
        suspension,
        misbehaviours,
        disturbances);
  }

  /** The same with another load that doubles latency. */
  public ServiceOptions withKnee(double value) {
    return new ServiceOptions(
        limit,
        signal,
        latency,
        jitter,
        value,
        changes,
        neighbour,
        suspension,
        misbehaviours,
        disturbances);
  }

  /** The same with other changes of its limits. */
  public ServiceOptions withChanges(Change... value) {
    return new ServiceOptions(
        limit,
        signal,
        latency,
        jitter,
        knee,
        List.of(value),
        neighbour,
        suspension,
        misbehaviours,
        disturbances);
  }

  /** The same with another neighbour. */
  public ServiceOptions withNeighbour(double value) {
    return new ServiceOptions(
        limit,
        signal,
        latency,
        jitter,
        knee,
        changes,
        value,
        suspension,
        misbehaviours,
        disturbances);
  }

  /** The same with another rule of suspension. */
  public ServiceOptions withSuspension(Suspension value) {
    return new ServiceOptions(
        limit,
        signal,
        latency,
        jitter,
        knee,
        changes,
        neighbour,
        value,
        misbehaviours,
        disturbances);
  }

  /** The same with other misbehaviours. */
  public ServiceOptions withMisbehaviours(Set<Misbehaviour> value) {
    return new ServiceOptions(
        limit, signal, latency, jitter, knee, changes, neighbour, suspension, value, disturbances);
  }

  /** The same with other disturbances. */
  public ServiceOptions withDisturbances(Disturbances value) {
    return new ServiceOptions(
        limit, signal, latency, jitter, knee, changes, neighbour, suspension, misbehaviours, value);
  }
}
