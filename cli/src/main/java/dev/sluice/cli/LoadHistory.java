package dev.sluice.cli;

import dev.sluice.control.lane.LaneStatistics;
import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.PoolStatistics;
import dev.sluice.load.run.LoadProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a load did over time, as far as this run goes: looked at several times a second, and kept in
 * at most {@value #MOST} slots, which become longer as the load does. It estimates how much longer
 * the load will take. Thread-safe.
 */
final class LoadHistory {
  /** How often a load should be looked at. */
  static final Duration EVERY = Duration.ofMillis(250);

  private static final int MOST = 600;

  /** Nothing is estimated from less than this. */
  private static final double LEAST_SECONDS = 3;

  private static final int LEAST_MESSAGES = 5;

  /** A pause of so many seconds is one that people notice. */
  private static final double LONG_PAUSE = 2;

  /** After so many of them, more are expected. */
  private static final int AGAIN = 2;

  /**
   * A slot of time.
   *
   * @param seconds how long it is
   * @param rows how many rows or look-ups were settled in it
   * @param inFlight requests with the service, times seconds
   * @param parallelism how many might have been, times seconds
   * @param paused seconds in which requests waited and none was with the service
   * @param held seconds for which each user was throttled, by its name
   * @param limits seconds by what kept it from being faster
   */
  record Slot(
      double seconds,
      double rows,
      double inFlight,
      double parallelism,
      double paused,
      Map<String, Double> held,
      Map<LoadLimit, Double> limits) {
    private static final Slot NOTHING = new Slot(0, 0, 0, 0, 0, Map.of(), Map.of());

    private Slot plus(Slot other) {
      return new Slot(
          seconds + other.seconds,
          rows + other.rows,
          inFlight + other.inFlight,
          parallelism + other.parallelism,
          paused + other.paused,
          sum(new LinkedHashMap<>(held), other.held),
          sum(new LinkedHashMap<>(limits), other.limits));
    }

    private Slot times(double factor) {
      return new Slot(
          seconds * factor,
          rows * factor,
          inFlight * factor,
          parallelism * factor,
          paused * factor,
          scaled(held, factor),
          scaled(limits, factor));
    }

    private static <K> Map<K, Double> scaled(Map<K, Double> all, double factor) {
      Map<K, Double> scaled = new LinkedHashMap<>(all);
      scaled.replaceAll((key, value) -> value * factor);
      return scaled;
    }

    private static <K> Map<K, Double> sum(Map<K, Double> all, Map<K, Double> other) {
      other.forEach((key, value) -> all.merge(key, value, Double::sum));
      return all;
    }
  }

  private final QuotaOptions limits;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Slot> slots = new ArrayList<>();
  private Slot all = Slot.NOTHING;
  private double slotSeconds = EVERY.toNanos() / 1e9;
  private boolean begun;
  private long firstNanos;
  private long lastNanos;
  private long lastRows;
  private long messages;
  private Map<Signal.Facet, Long> throttles = Map.of();
  private LoadLimit throttle = LoadLimit.UNNAMED;
  private int pauses;
  private long rowsBeforePause = 1;
  private double pausedFor;

  /** A load that has not begun, at a service with these limits. */
  LoadHistory(QuotaOptions limits) {
    this.limits = limits;
  }

  /** Where the load and its gate stand now; what has passed since the last call was like this. */
  void sample(LoadProgress progress, PoolStatistics pool, long now) {
    lock.lock();
    try {
      long rows = settled(progress);
      if (begun && (now > lastNanos || !slots.isEmpty())) {
        add(slot(progress, pool, (now - lastNanos) / 1e9, rows - lastRows));
      }
      firstNanos = begun ? firstNanos : now;
      begun = true;
      lastNanos = now;
      lastRows = rows;
      messages = progress.sending().messages();
    } finally {
      lock.unlock();
    }
  }

  /** Rows and look-ups that have their outcome, those of earlier runs included. */
  private static long settled(LoadProgress progress) {
    LoadProgress.Lookups lookups = progress.lookups();
    return progress.done() + progress.rejected() + lookups.waiting() + lookups.set();
  }

  private Slot slot(LoadProgress progress, PoolStatistics pool, double seconds, long rows) {
    boolean pause = isPause(progress, pool);
    boolean longBefore = pausedFor >= LONG_PAUSE;
    pausedFor = pause ? pausedFor + seconds : 0;
    if (pausedFor >= LONG_PAUSE && !longBefore && pauses++ == 0) {
      rowsBeforePause = Math.max(1, Math.round(all.rows()));
    }
    noteThrottles(progress.sending().throttles());
    List<LaneStatistics> lanes = pool.lanes();
    Map<String, Long> lanesOf = new LinkedHashMap<>();
    lanes.forEach(lane -> lanesOf.merge(user(lane), 1L, Long::sum));
    Map<String, Double> held = new LinkedHashMap<>();
    Map<LoadLimit, Double> limited = new EnumMap<>(LoadLimit.class);
    LoadLimit budget = nearerBudget();
    for (LaneStatistics lane : lanes) {
      double part = seconds / lanesOf.getOrDefault(user(lane), 1L);
      held.merge(user(lane), lane.isThrottled() ? part : 0, Double::sum);
      LoadLimit limit = LoadLimit.of(lane, pool, progress, budget, throttle, limits.maxInFlight());
      limited.merge(limit, seconds / lanes.size(), Double::sum);
    }
    int parallelism = lanes.stream().mapToInt(LaneStatistics::parallelism).sum();
    return new Slot(
        seconds,
        rows,
        progress.sending().inFlight() * seconds,
        parallelism * seconds,
        pause ? seconds : 0,
        held,
        limited);
  }

  /** A pinned user has a lane for each server, with the server's number behind its name. */
  private static String user(LaneStatistics lane) {
    return lane.name().replaceFirst("@\\d+$", "");
  }

  private void noteThrottles(Map<Signal.Facet, Long> now) {
    now.forEach(
        (facet, count) -> {
          if (count > throttles.getOrDefault(facet, 0L)) {
            throttle = LoadLimit.of(facet);
          }
        });
    throttles = now;
  }

  /** Which of a window's two limits is used up first by requests as they were so far. */
  private LoadLimit nearerBudget() {
    return secondsPerMessage() > limits.executionTime().toNanos() / 1e9 / limits.requests()
        ? LoadLimit.EXECUTION_TIME
        : LoadLimit.REQUESTS;
  }

  private void add(Slot next) {
    all = all.plus(next);
    boolean full = slots.isEmpty() || slots.getLast().seconds() + next.seconds() / 2 >= slotSeconds;
    if (!full || (next.seconds() == 0 && !slots.isEmpty())) {
      slots.set(slots.size() - 1, slots.getLast().plus(next));
    } else {
      slots.add(next);
    }
    if (slots.size() > MOST) {
      List<Slot> merged = new ArrayList<>();
      for (int i = 0; i < slots.size(); i += 2) {
        merged.add(i + 1 < slots.size() ? slots.get(i).plus(slots.get(i + 1)) : slots.get(i));
      }
      slots.clear();
      slots.addAll(merged);
      slotSeconds *= 2;
    }
  }

  /** When the first slot begins, on the clock of the samples. */
  long begunAt() {
    lock.lock();
    try {
      return firstNanos;
    } finally {
      lock.unlock();
    }
  }

  /** All of it, in order. */
  List<Slot> slots() {
    lock.lock();
    try {
      return List.copyOf(slots);
    } finally {
      lock.unlock();
    }
  }

  /** All of it in so many slots that are equally long; whatever was longer or shorter is cut. */
  List<Slot> slices(int count) {
    List<Slot> kept = slots();
    double each = kept.stream().mapToDouble(Slot::seconds).sum() / count;
    List<Slot> slices = new ArrayList<>();
    Slot open = Slot.NOTHING;
    for (Slot slot : kept) {
      double left = slot.seconds();
      while (slices.size() < count - 1 && open.seconds() + left >= each) {
        double taken = each - open.seconds();
        slices.add(open.plus(slot.times(taken / slot.seconds())));
        open = Slot.NOTHING;
        left -= taken;
      }
      if (left > 0) {
        open = open.plus(slot.times(left / slot.seconds()));
      }
    }
    slices.add(open);
    return slices;
  }

  /** All of it as one. */
  Slot all() {
    lock.lock();
    try {
      return all;
    } finally {
      lock.unlock();
    }
  }

  /** Messages that were sent. */
  long messages() {
    lock.lock();
    try {
      return messages;
    } finally {
      lock.unlock();
    }
  }

  /** How long a message was with the service, on average; 0 if there was none. */
  double secondsPerMessage() {
    lock.lock();
    try {
      return messages == 0 ? 0 : all.inFlight() / messages;
    } finally {
      lock.unlock();
    }
  }

  /**
   * How much longer it will take; empty as long as that would be a guess.
   *
   * <p>The rate is the one at which the last rows were settled, as many of them as are left: so the
   * slow start does not count near the end, nor a lucky moment near the beginning. A pause does not
   * count, except for what is left of the one that goes on; after one, as many rows as came before
   * it are expected to go in each window of the limits. If pauses come again and again, they are
   * part of the rate, which is then taken over at least one window.
   */
  Optional<Duration> timeLeft(LoadProgress progress, PoolStatistics pool) {
    if (progress.left().isEmpty()) {
      return Optional.empty();
    }
    long left = progress.left().getAsLong();
    lock.lock();
    try {
      double sending = all.seconds() - all.paused();
      double least = Math.max(LEAST_SECONDS, 3 * secondsPerMessage());
      boolean early = sending < least || messages < LEAST_MESSAGES;
      if (all.rows() == 0 || (early && pauses == 0)) {
        return Optional.empty();
      }
      boolean again = pauses >= AGAIN;
      double shortest = again ? Math.max(least, limits.window().toNanos() / 1e9) : least;
      double rows = 0;
      double seconds = 0;
      for (int i = slots.size() - 1; i >= 0; i--) {
        rows += slots.get(i).rows();
        seconds += slots.get(i).seconds() - (again ? 0 : slots.get(i).paused());
        if (seconds >= shortest && rows >= left) {
          break;
        }
      }
      double pause = pause(progress, pool);
      double rest =
          again
              ? Math.max(pause, left * seconds / rows)
              : pause + windows(left) + lastWindow(left) * seconds / rows;
      return Optional.of(Duration.ofMillis(Math.round(rest * 1_000)));
    } finally {
      lock.unlock();
    }
  }

  /** Seconds of the windows to come, if there was one pause: after as many rows there are more. */
  private double windows(long left) {
    return pauses == 0 ? 0 : Math.floorDiv(left - 1, rowsBeforePause) * limits.window().toSeconds();
  }

  /** The rows that are left for after those. */
  private double lastWindow(long left) {
    return pauses == 0 ? left : Math.floorMod(left - 1, rowsBeforePause) + 1;
  }

  private static boolean isPause(LoadProgress progress, PoolStatistics pool) {
    return progress.sending().inFlight() == 0 && pool.waiting() > 0;
  }

  /** Seconds until the first lane may send again; 0 if something is with the service. */
  private static double pause(LoadProgress progress, PoolStatistics pool) {
    return isPause(progress, pool)
        ? pool.lanes().stream().mapToLong(lane -> lane.readyIn().toNanos()).min().orElse(0) / 1e9
        : 0;
  }
}
