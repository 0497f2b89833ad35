package dev.sluice.collect.run;

import dev.sluice.gate.wire.Transport;
import dev.sluice.gate.wire.WebAnswer;
import dev.sluice.gate.wire.WebRequest;
import dev.sluice.runs.store.Store;
import dev.sluice.runs.store.StoreException;
import dev.sluice.runs.store.Work;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The disk and the wire of a process that is killed at one of its steps: a write to the store, or a
 * request. The step may still be made, without the process hearing of it; nothing after it is.
 */
final class MortalProcess {
  private final Store disk;
  private final Transport wire;
  private final boolean lastIsMade;
  private long left;

  /**
   * Lives for so many steps.
   *
   * @param lastIsMade whether the step at which it dies has its effect
   */
  MortalProcess(Store disk, Transport wire, long steps, boolean lastIsMade) {
    this.disk = disk;
    this.wire = wire;
    this.left = steps;
    this.lastIsMade = lastIsMade;
  }

  boolean isDead() {
    return left < 0;
  }

  Store store() {
    return new Store() {
      @Override
      public <T extends @Nullable Object> T write(Work<T> work) {
        if (left > 0) {
          left--;
          return disk.write(work);
        }
        if (left-- == 0 && lastIsMade) {
          T unused = disk.write(work);
        }
        throw dead();
      }

      @Override
      public <T extends @Nullable Object> T read(Work<T> work) {
        if (isDead()) {
          throw dead();
        }
        return disk.read(work);
      }

      @Override
      public void close() {}
    };
  }

  Transport transport() {
    return this::send;
  }

  private WebAnswer send(WebRequest request) throws IOException, InterruptedException {
    if (left > 0) {
      left--;
      WebAnswer answer = wire.send(request);
      if (isDead()) {
        throw dead();
      }
      return answer;
    }
    if (left-- == 0 && lastIsMade) {
      WebAnswer unused = wire.send(request);
    }
    throw dead();
  }

  private static StoreException dead() {
    return new StoreException(StoreException.Problem.OTHER, "the process was killed", null);
  }
}
