package dev.sluice.gate.offence;

import java.util.Arrays;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Every method is an offence. */
@SuppressWarnings("all")
class StartsThreads {
  Thread aThread() {
    return new Thread(() -> {});
  }

  Thread aThreadOfItsOwnKind() {
    return new Thread() {
      @Override
      public void run() {}
    };
  }

  Thread aVirtualThread() {
    return Thread.startVirtualThread(() -> {});
  }

  Thread.Builder aBuilder() {
    return Thread.ofVirtual();
  }

  Thread aGivenBuilder(Thread.Builder builder) {
    return builder.start(() -> {});
  }

  Thread aFactory(ThreadFactory factory) {
    return factory.newThread(() -> {});
  }

  void aThreadThatWasMadeElsewhere(Thread thread) {
    thread.start();
  }

  ExecutorService anExecutor() {
    return Executors.newVirtualThreadPerTaskExecutor();
  }

  void theCommonPool() {
    ForkJoinPool.commonPool().execute(() -> {});
  }

  void aSchedule(ScheduledExecutorService executor) {
    executor.schedule(() -> {}, 1, TimeUnit.SECONDS);
  }

  Timer aTimer() {
    return new Timer();
  }

  CompletableFuture<?> supplying() {
    return CompletableFuture.supplyAsync(() -> 1);
  }

  CompletionStage<?> continuing(CompletionStage<?> stage) {
    return stage.thenApplyAsync(value -> value);
  }

  CompletableFuture<?> handling(CompletableFuture<?> future) {
    return future.handleAsync((value, failure) -> value);
  }

  CompletableFuture<?> timingOut(CompletableFuture<?> future) {
    return future.orTimeout(1, TimeUnit.SECONDS);
  }

  CompletableFuture<?> givingUp(CompletableFuture<Object> future) {
    return future.completeOnTimeout(this, 1, TimeUnit.SECONDS);
  }

  Executor delaying() {
    return CompletableFuture.delayedExecutor(1, TimeUnit.SECONDS);
  }

  Stream<?> aParallelStream(List<?> list) {
    return list.parallelStream();
  }

  IntStream aStreamMadeParallel() {
    return IntStream.range(0, 1).parallel();
  }

  void aParallelSort(int[] numbers) {
    Arrays.parallelSort(numbers);
  }
}
