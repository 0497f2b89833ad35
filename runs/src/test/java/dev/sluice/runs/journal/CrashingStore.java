package dev.sluice.runs.journal;

import dev.sluice.gate.time.SimulatedTime;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.StoreException.Problem;
import dev.sluice.runs.store.Work;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A store as one process sees it until it ends: every write takes a while, and at one of them the
 * process is killed (before it, within it, or after it) or stands still for minutes.
 */
final class CrashingStore implements Store {
  enum Fate {
    BEFORE,
    WITHIN,
    AFTER,
    STANDSTILL
  }

  static final Duration STANDSTILL = Duration.ofMinutes(3);

  private final Store disk;
  private final SimulatedTime time;
  private final Fate fate;
  private long writesLeft;
  private boolean dead;
  private long standsUntil = Long.MIN_VALUE;
  private int writes;

  CrashingStore(Store disk, SimulatedTime time, Fate fate, long writesLeft) {
    this.disk = disk;
    this.time = time;
    this.fate = fate;
    this.writesLeft = writesLeft;
  }

  boolean isDead() {
    return dead;
  }

  boolean standsStill() {
    return standsUntil != Long.MIN_VALUE;
  }

  int writes() {
    return writes;
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    pause(Duration.ofNanos(time.random().nextInt(4_000_000)));
    refuseIfDead();
    writes++;
    if (writesLeft-- == 0) {
      switch (fate) {
        case BEFORE -> die();
        case WITHIN ->
            disk.write(
                transaction -> {
                  T unused = work.in(transaction);
                  die();
                  return unused;
                });
        case AFTER -> {
          T unused = disk.write(work);
          die();
        }
        case STANDSTILL -> standsUntil = time.deadline(STANDSTILL);
      }
    }
    if (standsStill() && standsUntil - time.nanos() > 0) {
      pause(Duration.ofNanos(standsUntil - time.nanos()));
    }
    refuseIfDead();
    return disk.write(work);
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    refuseIfDead();
    return disk.read(work);
  }

  @Override
  public void close() {}

  /** A disk takes its time, and hears no interrupt. */
  private void pause(Duration duration) {
    long end = time.deadline(duration);
    boolean interrupted = false;
    while (end - time.nanos() > 0) {
      try {
        time.sleepUntil(end);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void die() {
    dead = true;
    refuseIfDead();
  }

  private void refuseIfDead() {
    if (dead) {
      throw new StoreException(Problem.OTHER, "the process was killed", null);
    }
  }
}
