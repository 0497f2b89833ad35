package dev.sluice.gate.offence;

import dev.sluice.gate.time.Time;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.random.RandomGenerator;

/** What looks like an offence and is none. */
@SuppressWarnings("all")
class Innocent {
  long time(Time time) {
    return time.nanos();
  }

  LocalDate onAGivenClock(Clock clock) {
    return LocalDate.now(clock);
  }

  Instant arithmetic(Instant instant) {
    return instant.plus(Duration.ofSeconds(1));
  }

  Date aGivenDate(long millis) {
    return new Date(millis);
  }

  LocalDate aGivenDay(Instant instant) {
    return LocalDate.ofInstant(instant, ZoneOffset.UTC);
  }

  long units() {
    return TimeUnit.SECONDS.toNanos(1);
  }

  void restoringAnInterrupt() {
    if (!Thread.currentThread().isInterrupted() && !Thread.interrupted()) {
      Thread.currentThread().interrupt();
    }
  }

  void locking(Lock lock) {
    lock.lock();
    lock.unlock();
  }

  boolean tryingToLock(Lock lock) {
    return lock.tryLock();
  }

  CompletableFuture<?> continuingOn(CompletableFuture<?> future, Executor executor) {
    return future.thenApplyAsync(value -> value, executor);
  }

  Object whatAFutureHolds(CompletableFuture<Object> future) {
    return future.getNow(this);
  }

  RandomGenerator seeded(long seed) {
    return new SplittableRandom(seed);
  }

  RandomGenerator seededLikeItUsedToBe(long seed) {
    return new Random(seed);
  }

  void shuffledBy(List<?> list, Random random) {
    Collections.shuffle(list, random);
  }

  void notifying() {
    notify(1);
  }

  private void notify(int listener) {}
}
