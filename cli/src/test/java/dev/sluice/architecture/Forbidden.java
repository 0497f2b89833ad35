package dev.sluice.architecture;

import static com.tngtech.archunit.core.domain.JavaConstructor.CONSTRUCTOR_NAME;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.Timer;
import java.util.TimerTask;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.BaseStream;

/**
 * What only the time seam may touch, because simulated time could not replay it.
 *
 * <p>Calls, constructors and method references are seen. A {@code synchronized} block is not: of
 * those only methods are, by a rule of their own.
 */
enum Forbidden {
  CLOCKS("ask Time for nanos() or instant()") {
    @Override
    boolean covers(AccessTarget target, List<JavaClass> given) {
      return on(System.class, target, "nanoTime|currentTimeMillis")
          || on(Clock.class, target, "system.*|tick(Millis|Seconds|Minutes)")
          || on(InstantSource.class, target, "system")
          || on(Calendar.class, target, "getInstance")
          || onGivenNothing(Calendar.class, target, CONSTRUCTOR_NAME)
          || onGivenNothing(Date.class, target, CONSTRUCTOR_NAME)
          || (target.getOwner().getPackageName().startsWith("java.time")
              && target.getName().equals("now")
              && !givenAn(InstantSource.class, given));
    }
  },

  WAITS("let Time sleep, or wait for one of its bells: simulated time cannot see other waits") {
    @Override
    boolean covers(AccessTarget target, List<JavaClass> given) {
      return on(Thread.class, target, "sleep|join|yield")
          || on(TimeUnit.class, target, "sleep|timedWait|timedJoin")
          || (on(Object.class, target, "wait") && given.stream().allMatch(JavaClass::isPrimitive))
          || onGivenNothing(Object.class, target, "notify|notifyAll")
          || on(Lock.class, target, "newCondition")
          || (on(Lock.class, target, "tryLock") && !given.isEmpty())
          || on(Future.class, target, "get|join|invoke")
          || on(Process.class, target, "waitFor")
          || onAny(
              target,
              LockSupport.class,
              Condition.class,
              Semaphore.class,
              CountDownLatch.class,
              CyclicBarrier.class,
              Phaser.class,
              Exchanger.class,
              BlockingQueue.class);
    }
  },

  THREADS("let Time start tasks, or be given an Executor") {
    @Override
    boolean covers(AccessTarget target, List<JavaClass> given) {
      // A spin-wait hint is no wait: it tells the processor, and nobody is woken.
      return on(
              Thread.class,
              target,
              "(?!(currentThread|interrupted|isInterrupted|interrupt|onSpinWait)$).*")
          || (on(CompletionStage.class, target, ".*Async") && !givenAn(Executor.class, given))
          || on(CompletionStage.class, target, "orTimeout|completeOnTimeout")
          || on(CompletionStage.class, target, "delayedExecutor|defaultExecutor")
          || on(Collection.class, target, "parallelStream")
          || on(BaseStream.class, target, "parallel")
          || on(Arrays.class, target, "parallel.*")
          || onAny(
              target,
              Thread.Builder.class,
              ThreadFactory.class,
              Executors.class,
              ExecutorService.class,
              ExecutorCompletionService.class,
              ForkJoinTask.class,
              Timer.class,
              TimerTask.class);
    }
  },

  CHANCE("be given a random generator, or a seed for one: a run must be repeatable") {
    @Override
    boolean covers(AccessTarget target, List<JavaClass> given) {
      return on(Math.class, target, "random")
          || on(UUID.class, target, "randomUUID")
          || onGivenNothing(Random.class, target, CONSTRUCTOR_NAME)
          || onGivenNothing(SplittableRandom.class, target, CONSTRUCTOR_NAME)
          || (target.getOwner().isEquivalentTo(RandomGenerator.class)
              && target.getName().matches("getDefault|of"))
          || onGivenNothing(RandomGeneratorFactory.class, target, "create")
          || (on(Collections.class, target, "shuffle") && given.size() == 1)
          || onAny(target, ThreadLocalRandom.class, SecureRandom.class);
    }
  };

  private final String instead;

  Forbidden(String instead) {
    this.instead = instead;
  }

  abstract boolean covers(AccessTarget target, List<JavaClass> given);

  String instead() {
    return instead;
  }

  DescribedPredicate<JavaAccess<?>> accesses() {
    return DescribedPredicate.describe(
        "is one of the " + name().toLowerCase(Locale.ROOT) + " of the machine",
        access -> covers(access.getTarget(), given(access.getTarget())));
  }

  private static List<JavaClass> given(AccessTarget target) {
    return target instanceof CodeUnitAccessTarget unit ? unit.getRawParameterTypes() : List.of();
  }

  private static boolean on(Class<?> type, AccessTarget target, String names) {
    return target.getOwner().isAssignableTo(type) && target.getName().matches(names);
  }

  private static boolean onGivenNothing(Class<?> type, AccessTarget target, String names) {
    return on(type, target, names) && given(target).isEmpty();
  }

  private static boolean onAny(AccessTarget target, Class<?>... types) {
    Predicate<Class<?>> owns = target.getOwner()::isAssignableTo;
    return Arrays.stream(types).anyMatch(owns);
  }

  private static boolean givenAn(Class<?> type, List<JavaClass> given) {
    return given.stream().anyMatch(parameter -> parameter.isAssignableTo(type));
  }
}
