package dev.sluice.collect.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the details of many records side by side. How many are really under way is the gate's
 * decision: there are just enough workers that a round trip does not cost the pace. When one of
 * them meets what ends the run, nothing new is begun.
 *
 * @param <T> what is fetched for
 */
final class SideBySide<T> {
  /** Enough for 160 requests a second that take 200 ms each. */
  private static final int WORKERS = 32;

  /**
   * Fetches for one. Called by several workers at the same time.
   *
   * @param <T> what is fetched for
   */
  interface Fetching<T> {
    Fetched fetch(T one, Asker asker) throws IOException, InterruptedException;
  }

  private final RunContext context;
  private final List<T> all;
  private final Fetching<T> fetching;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, Fetched> results = new HashMap<>();
  private int next;
  private @Nullable Stop stop;
  private @Nullable Exception failure;

  SideBySide(RunContext context, List<T> all, Fetching<T> fetching) {
    this.context = context;
    this.all = all;
    this.fetching = fetching;
  }

  /**
   * Fetches as far as the run may go.
   *
   * @return what came of each, in their order
   */
  List<Fetched> fetch() throws IOException, InterruptedException {
    List<Time.Task> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(WORKERS, all.size()); i++) {
      Asker asker = context.besides();
      Time.Task worker = context.time().start("details " + i, () -> work(asker));
      asker.workedBy(worker);
      workers.add(worker);
    }
    join(workers);
    if (failure instanceof IOException e) {
      throw e;
    } else if (failure instanceof InterruptedException e) {
      throw e;
    } else if (failure instanceof RuntimeException e) {
      throw e;
    }
    List<Fetched> each = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Fetched fetched = results.get(i);
      each.add(fetched == null ? notBegun() : fetched);
    }
    return each;
  }

  /** Why nothing more was fetched; null if everything was tried. */
  @Nullable Stop stop() {
    return stop;
  }

  private Fetched notBegun() {
    Stop why = requireNonNull(stop);
    return new Fetched.Missed(Fetched.miss(why, false, Optional.empty()), Optional.of(why));
  }

  private void work(Asker asker) {
    for (int mine = take(); mine < all.size(); mine = take()) {
      try {
        ended(mine, fetching.fetch(all.get(mine), asker));
      } catch (IOException | InterruptedException | RuntimeException e) { // others stop, too
        failed(e);
      }
    }
  }

  /** The next that nobody has; beyond the last if nothing is to be begun. */
  private int take() {
    lock.lock();
    try {
      return stop != null || failure != null || next == all.size() ? all.size() : next++;
    } finally {
      lock.unlock();
    }
  }

  private void ended(int mine, Fetched fetched) {
    lock.lock();
    try {
      results.put(mine, fetched);
      if (fetched instanceof Fetched.Missed missed && stop == null) {
        stop = missed.stop().orElse(null);
      }
    } finally {
      lock.unlock();
    }
  }

  private void failed(Exception e) {
    lock.lock();
    try {
      failure = failure == null ? e : failure;
    } finally {
      lock.unlock();
    }
  }

  /** All end, whatever happens: none may go on when the slice is given up. */
  private static void join(List<Time.Task> workers) throws InterruptedException {
    InterruptedException interrupted = null;
    Throwable thrown = null;
    for (Time.Task worker : workers) {
      while (true) {
        try {
          worker.join();
          break;
        } catch (InterruptedException e) {
          interrupted = e;
          workers.forEach(Time.Task::interrupt);
        } catch (CompletionException e) {
          thrown = thrown == null ? requireNonNull(e.getCause()) : thrown;
          break;
        }
      }
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    } else if (thrown instanceof Error e) {
      throw e;
    } else if (interrupted != null) {
      throw interrupted;
    }
  }
}
