package dev.sluice.arena.contender;

import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Runs what is due when it is told the time; knows single tasks only. */
final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
  private final PriorityQueue<Due> tasks =
      new PriorityQueue<>(
          Comparator.<Due>comparingLong(due -> due.at).thenComparingLong(due -> due.order));
  private long now;
  private long order;

  long now() {
    return now;
  }

  void advanceTo(long time) {
    for (Due due = tasks.peek(); due != null && due.at <= time; due = tasks.peek()) {
      now = due.at;
      tasks.remove().run();
    }
    now = time;
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    Due due = new Due(command, now + unit.toNanos(delay), order++);
    tasks.add(due);
    return due;
  }

  private static final class Due extends FutureTask<Void> implements ScheduledFuture<Void> {
    private final long at;
    private final long order;

    Due(Runnable command, long at, long order) {
      super(command, null);
      this.at = at;
      this.order = order;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int compareTo(Delayed other) {
      throw new UnsupportedOperationException();
    }
  }

  @Override
  public void execute(Runnable command) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {}

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
