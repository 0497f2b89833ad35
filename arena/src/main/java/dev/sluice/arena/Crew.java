package dev.sluice.arena;

import dev.sluice.gate.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import org.jspecify.annotations.Nullable;

/**
 * Does many independent chores on a few tasks, the long ones first, so that none is left alone at
 * the end. Each chore writes into a place of its own: their order does not matter.
 */
final class Crew {
  private static final Duration TELL_EVERY = Duration.ofSeconds(1);

  private final Time time;
  private final List<Chore> chores;
  private final double weight;
  private final Progress progress;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();
  private final DoubleAdder doneWeight = new DoubleAdder();
  private final AtomicReference<@Nullable BoutFailedException> failure = new AtomicReference<>();

  /**
   * Something to do.
   *
   * @param name what failed if it throws
   * @param weight about how long it takes, in any unit
   */
  record Chore(String name, double weight, Runnable body) {}

  private Crew(Time time, List<Chore> chores, Progress progress) {
    this.time = time;
    this.chores = new ArrayList<>(chores);
    this.chores.sort(Comparator.comparingDouble(Chore::weight).reversed());
    this.weight = chores.stream().mapToDouble(Chore::weight).sum();
    this.progress = progress;
  }

  /** Does them all, or throws what the first that failed threw. */
  static void work(Time time, int tasks, List<Chore> chores, Progress progress)
      throws InterruptedException {
    new Crew(time, chores, progress).work(tasks);
  }

  private void work(int tasks) throws InterruptedException {
    long started = time.nanos();
    List<Time.Task> workers = new ArrayList<>();
    for (int worker = 0; worker < Math.min(tasks, chores.size()); worker++) {
      workers.add(time.start("arena-" + worker, this::worker));
    }
    try {
      for (Time.Task worker : workers) {
        while (!worker.join(time.deadline(TELL_EVERY))) {
          tell(started);
        }
      }
    } finally {
      next.set(chores.size()); // whoever gives up takes nothing new
    }
    BoutFailedException failed = failure.get();
    if (failed != null) {
      throw failed;
    }
    tell(started);
  }

  private void tell(long started) {
    long elapsed = time.nanos() - started;
    double share = weight > 0 ? Math.min(1, doneWeight.sum() / weight) : 1;
    int finished = done.get();
    long left =
        finished == chores.size() ? 0 : share > 0 ? (long) (elapsed * (1 - share) / share) : -1;
    progress.soFar(finished, chores.size(), Duration.ofNanos(elapsed), Duration.ofNanos(left));
  }

  private void worker() {
    for (int index = next.getAndIncrement();
        index < chores.size();
        index = next.getAndIncrement()) {
      Chore chore = chores.get(index);
      try {
        chore.body().run();
      } catch (RuntimeException | Error thrown) { // whatever an entrant may throw
        failure.compareAndSet(null, new BoutFailedException(chore.name(), thrown));
        next.set(chores.size());
        return;
      }
      done.incrementAndGet();
      doneWeight.add(chore.weight());
    }
  }
}
