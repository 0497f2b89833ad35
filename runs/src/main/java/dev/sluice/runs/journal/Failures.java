package dev.sluice.runs.journal;

import dev.sluice.runs.lease.LeaseLostException;
import dev.sluice.runs.store.StoreException;

/** One commit fails, and everybody who waited for it has to be told, each with its own trace. */
final class Failures {
  private Failures() {}

  static RuntimeException again(RuntimeException failure) {
    RuntimeException again =
        switch (failure) {
          case LeaseLostException lost -> new LeaseLostException(lost.lease(), lost.fence());
          case StoreException store ->
              new StoreException(store.problem(), String.valueOf(store.getMessage()), failure);
          default ->
              new IllegalStateException(
                  "the journal can no longer be written: " + failure.getMessage(), failure);
        };
    if (again.getCause() == null) {
      again.addSuppressed(failure);
    }
    return again;
  }
}
