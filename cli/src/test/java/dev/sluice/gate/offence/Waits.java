package dev.sluice.gate.offence;

import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/** Every method is an offence. */
@SuppressWarnings("all")
class Waits {
  void sleeping() throws Exception {
    Thread.sleep(1);
  }

  void sleepingForADuration() throws Exception {
    Thread.sleep(Duration.ZERO);
  }

  void sleepingByUnit() throws Exception {
    TimeUnit.SECONDS.sleep(1);
  }

  void joining(Thread thread) throws Exception {
    thread.join();
  }

  void parking() {
    LockSupport.park();
  }

  LongConsumer parkingByReference() {
    return LockSupport::parkNanos;
  }

  void waitingForAMonitor() throws Exception {
    wait();
  }

  void waitingForAMonitorWithADeadline(Object monitor) throws Exception {
    monitor.wait(1);
  }

  void notifying(Object monitor) {
    monitor.notifyAll();
  }

  Condition making(ReentrantLock lock) {
    return lock.newCondition();
  }

  void awaiting(Condition condition) throws Exception {
    condition.await();
  }

  boolean lockingWithADeadline(Lock lock) throws Exception {
    return lock.tryLock(1, TimeUnit.SECONDS);
  }

  Object getting(Future<?> future) throws Exception {
    return future.get();
  }

  Object joiningAFuture(CompletableFuture<?> future) {
    return future.join();
  }

  Object gettingWithADeadline(CompletableFuture<?> future) throws Exception {
    return future.get(1, TimeUnit.SECONDS);
  }

  void forAProcess(Process process) throws Exception {
    process.waitFor();
  }

  Semaphore aSemaphore() {
    return new Semaphore(1);
  }

  void aLatch(CountDownLatch latch) throws Exception {
    latch.await();
  }

  void aBarrier(CyclicBarrier barrier) throws Exception {
    barrier.await();
  }

  void aPhaser(Phaser phaser) {
    phaser.arriveAndAwaitAdvance();
  }

  Object anExchanger(Exchanger<Object> exchanger) throws Exception {
    return exchanger.exchange(this);
  }

  Object aQueue(BlockingQueue<?> queue) throws Exception {
    return queue.take();
  }

  BlockingQueue<?> aQueueOfItsOwn() {
    return new LinkedBlockingQueue<>();
  }

  BlockingQueue<?> aQueueWithACapacity() {
    return new ArrayBlockingQueue<>(1);
  }
}
