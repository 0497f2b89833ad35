package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.sql.SQLException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Talks to a server so that no interrupt breaks it off. A virtual thread that is interrupted while
 * it waits for a socket closes the socket, and with it a transaction of which others may be part:
 * so a task that nobody can interrupt does the talking, and the caller waits for it and keeps its
 * interrupt for later.
 *
 * <p>That task runs in real time even if all else is simulated: the server does, too.
 */
final class Uninterruptibly {
  private Uninterruptibly() {}

  interface Call<T extends @Nullable Object> {
    T run() throws SQLException;
  }

  /** What has no result. */
  interface Order {
    void run() throws SQLException;
  }

  static void run(Order order) throws SQLException {
    Object unused =
        call(
            () -> {
              order.run();
              return order;
            });
  }

  static <T extends @Nullable Object> T call(Call<T> call) throws SQLException {
    FutureTask<T> future = new FutureTask<>(call::run);
    awaitEnd(Time.real().start("talk with the database", future));
    if (future.state() == FutureTask.State.SUCCESS) {
      return future.resultNow();
    }
    switch (future.exceptionNow()) {
      case SQLException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  private static void awaitEnd(Time.Task task) {
    boolean interrupted = false;
    boolean ended = false;
    while (!ended) {
      try {
        task.join();
        ended = true;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
