package dev.sluice.gate.time;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Lets a process that is asked to end, by Ctrl-C or by its operator, finish what it is doing and
 * choose its exit code. Real time only.
 */
public final class Termination implements AutoCloseable {
  private static final int KILLED = 130;

  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicInteger exitCode = new AtomicInteger(KILLED);
  private final Thread hook;

  private Termination(Runnable asked, Duration longest) {
    requireNonNull(asked, "asked");
    this.hook = new Thread(() -> terminate(asked, longest), "termination");
  }

  /**
   * Watches from now on until it is closed.
   *
   * @param asked called once when the process is asked to end
   * @param longest how long the process stays for {@link #over} to be called
   */
  public static Termination watch(Runnable asked, Duration longest) {
    Termination termination = new Termination(asked, longest);
    Runtime.getRuntime().addShutdownHook(termination.hook);
    return termination;
  }

  private void terminate(Runnable asked, Duration longest) {
    asked.run();
    try {
      boolean unused = over.await(longest.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // ends at once
    }
    Runtime.getRuntime().halt(exitCode.get());
  }

  /** The work is over: if the process was asked to end, it ends now, with this code. */
  public void over(int code) {
    exitCode.set(code);
    over.countDown();
  }

  /** Watches no more. */
  @Override
  public void close() {
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      over.countDown(); // it is ending; whoever was to say how has said it, or never will
    }
  }
}
