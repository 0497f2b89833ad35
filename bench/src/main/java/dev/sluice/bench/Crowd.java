package dev.sluice.bench;

import dev.sluice.control.lane.LaneOptions;
import dev.sluice.control.pacing.FixedRatePolicy;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.Ask;
import dev.sluice.gate.Gate;
import dev.sluice.gate.Permit;
import dev.sluice.gate.Run;
import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.gate.time.Time;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * Callers who all waited before one gate, each holding a future, and were let through one after the
 * other at the pace of its only lane, in simulated time.
 *
 * <p>Time is real time from one release to the next: the gate's part, a settlement, and simulated
 * time's own part (a task for each caller, a turn of the gate's own task, the clock's jump).
 *
 * <p>The same without a gate, {@link #bare}, is a queue of futures of which one is completed at
 * each turn: what simulated time, futures, caches and garbage collection cost by themselves.
 *
 * @param bytesEach heap that one of them took while it waited, its future included
 * @param nanosAtFirst per release, over the first thousand: while nearly all of them wait
 * @param nanosEach per release, over all of them
 */
record Crowd(double bytesEach, double nanosAtFirst, double nanosEach) {
  /** The smallest crowd: what {@link #nanosAtFirst} is measured over. */
  static final int SMALLEST = 1_000;

  private static final long INTERVAL = 1_000_000;
  private static final double PER_SECOND = 1_000;

  /**
   * Gathers a crowd and lets it through.
   *
   * @throws IllegalStateException if callers were let through in another order than they came, or
   *     not at the pace
   */
  static Crowd released(int size, Ask ask) {
    return SimulatedTime.with(size).call(time -> released(time, size, ask));
  }

  private static Crowd released(Time time, int size, Ask ask) throws InterruptedException {
    Gate gate =
        Gate.builder()
            .time(time)
            .lane("lane", LaneOptions.of(now -> new FixedRatePolicy(PER_SECOND, 1, size, now)))
            .build();
    gate.acquire().settle(Signal.success()); // the one who need not wait
    List<CompletableFuture<Permit>> futures = new ArrayList<>(size);
    Exit exit = new Exit(time);

    long before = usedHeap();
    for (int i = 0; i < size; i++) {
      futures.add(gate.acquireAsync(Run.unbounded(), ask));
    }
    long after = usedHeap();

    for (int i = 0; i < size; i++) {
      int caller = i;
      var unused = futures.get(i).thenAccept(permit -> exit.pass(caller, permit));
    }
    long started = System.nanoTime();
    time.sleepUntil(exit.due(size));
    exit.requireAll(size);
    return exit.crowd(started, size, after - before);
  }

  /** The same crowd in a plain queue, from which one caller is let go at each turn. */
  static Crowd bare(int size) {
    return SimulatedTime.with(size).call(time -> bare(time, size));
  }

  private static Crowd bare(Time time, int size) throws InterruptedException {
    Queue<CompletableFuture<Integer>> queue = new ArrayDeque<>(size);
    Exit exit = new Exit(time);
    long before = usedHeap();
    for (int i = 0; i < size; i++) {
      queue.add(new CompletableFuture<>());
    }
    long after = usedHeap();

    for (CompletableFuture<Integer> future : queue) {
      var unused = future.thenAccept(exit::pass);
    }
    long started = System.nanoTime();
    for (int i = 0; i < size; i++) {
      int caller = i;
      time.sleepUntil(exit.due(i));
      CompletableFuture<Integer> next = queue.remove();
      var unused = time.start("caller", () -> next.complete(caller));
    }
    time.sleepUntil(exit.due(size));
    exit.requireAll(size);
    return exit.crowd(started, size, after - before);
  }

  private static long usedHeap() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  /** Checks each caller on its way out, and settles its permit. */
  private static final class Exit {
    private final Time time;
    private final long opened;
    private int passed;
    private long passedSmallest;
    private long passedLast;

    /** Kept until the end, because whoever completes a future does not see what is thrown. */
    private String wrong = "";

    Exit(Time time) {
      this.time = time;
      this.opened = time.nanos();
    }

    /** When the pace lets a caller through; they are numbered from 0. */
    long due(int caller) {
      return opened + (caller + 1) * INTERVAL;
    }

    void pass(int caller, Permit permit) {
      if (wrong.isEmpty() && permit.sentAt() != due(caller)) {
        wrong =
            "caller %d was let through at %d ns, but the pace says %d"
                .formatted(caller, permit.sentAt(), due(caller));
      }
      permit.settle(Signal.success());
      pass(caller);
    }

    void pass(int caller) {
      if (wrong.isEmpty() && caller != passed) {
        wrong = "caller %d came when it was the turn of %d".formatted(caller, passed);
      }
      if (wrong.isEmpty() && time.nanos() != due(caller)) {
        wrong =
            "caller %d was told at %d ns, but the pace says %d"
                .formatted(caller, time.nanos(), due(caller));
      }
      passed++;
      passedLast = System.nanoTime();
      if (passed == SMALLEST) {
        passedSmallest = passedLast;
      }
    }

    Crowd crowd(long started, int size, long bytes) {
      return new Crowd(
          bytes / (double) size,
          (passedSmallest - started) / (double) SMALLEST,
          (passedLast - started) / (double) size);
    }

    void requireAll(int size) {
      if (wrong.isEmpty() && passed != size) {
        wrong = "%d of %d callers were let through in their time".formatted(passed, size);
      }
      if (!wrong.isEmpty()) {
        throw new IllegalStateException(wrong);
      }
    }
  }
}
