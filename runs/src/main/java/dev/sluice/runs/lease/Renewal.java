package dev.sluice.runs.lease;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.StoreException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews one lease every now and then, in a task of its own, until it is stopped or lost. */
final class Renewal {
  private static final Logger log = LoggerFactory.getLogger(Renewal.class);

  private final Time time;
  private final String name;
  private final BooleanSupplier renew;
  private final Time.Bell stop;
  private final AtomicBoolean stopped = new AtomicBoolean();

  Renewal(Time time, String name, BooleanSupplier renew) {
    this.time = time;
    this.name = name;
    this.renew = renew;
    this.stop = time.bell();
    Time.Task unused = time.start("renewal of lease " + name, this::run);
  }

  private void run() {
    try {
      boolean ours = true;
      while (ours && !stop.await(time.deadline(Leases.RENEWED_EVERY)) && !stopped.get()) {
        ours = renew();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // nobody interrupts this task but a process that ends
    }
  }

  /** Whether the lease is ours still, as far as is known. */
  private boolean renew() {
    try {
      if (!renew.getAsBoolean() && !stopped.get()) {
        log.warn("lease {} was taken over by another process", name);
        return false;
      }
    } catch (StoreException e) {
      // It is not lost yet: two more renewals come before it expires, and who writes will notice.
      log.warn("lease {} could not be renewed, will be tried again: {}", name, e.getMessage());
      log.debug("why", e);
    }
    return true;
  }

  /** Ends the task; whether it had not been stopped before. */
  boolean stop() {
    boolean first = stopped.compareAndSet(false, true);
    stop.ring();
    return first;
  }
}
