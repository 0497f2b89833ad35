package dev.sluice.dataverse;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.service.Service;
import dev.sluice.dataverse.webapi.WhoAmI;
import dev.sluice.gate.time.Time;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** One identity that signs in and asks who it is, as a task of its own. */
final class FirstContact {
  private final String identity;
  private final AtomicReference<@Nullable WhoAmI> answer = new AtomicReference<>();
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final Time.Task task;

  private FirstContact(Service service, String identity, Time time) {
    this.identity = identity;
    this.task = time.start("first contact of " + identity, () -> ask(service, time));
  }

  /** Begins at once. */
  static FirstContact begin(Service service, String identity, Time time) {
    return new FirstContact(service, identity, time);
  }

  private void ask(Service service, Time time) {
    try {
      answer.set(WhoAmI.ask(service, identity, time));
    } catch (IOException | RuntimeException | InterruptedException e) { // told to who joins
      failure.set(e);
    }
  }

  String identity() {
    return identity;
  }

  /**
   * Waits for the answer.
   *
   * @throws IOException if none came, or one that says why not
   */
  WhoAmI join() throws IOException, InterruptedException {
    task.join();
    switch (failure.get()) {
      case null -> {}
      case IOException e -> throw e;
      case InterruptedException e -> throw e;
      case RuntimeException e -> throw e;
      case Exception e -> throw new IllegalStateException(e); // nothing else was caught
    }
    return requireNonNull(answer.get());
  }

  /** Ends it, if it still waits for anything. */
  void stop() {
    task.interrupt();
  }
}
