package dev.sluice.simulator.dataverse.webapi;

import dev.sluice.control.Ticker;
import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.odata.Query;
import dev.sluice.simulator.dataverse.store.Store;
import dev.sluice.simulator.dataverse.store.TableSchema;
import dev.sluice.simulator.dataverse.store.Transaction;
import dev.sluice.simulator.http.Response;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Carries plans out, one change at a time. Thread-safe: it takes the store's lock. */
public final class Runner {
  private final Store store;
  private final ReentrantLock lock;
  private final Ticker clock;

  /** Over a store that this lock guards. */
  public Runner(Store store, ReentrantLock lock, Ticker clock) {
    this.store = store;
    this.lock = lock;
    this.clock = clock;
  }

  /** Does what was planned. Never waits for anything but the lock. */
  public Response run(Plan plan) throws WebApiException {
    return switch (plan.action()) {
      case Plan.Free free -> free.run();
      case Plan.Write write -> alone(write).answer();
    };
  }

  private Plan.Done alone(Plan.Write write) throws WebApiException {
    lock.lock();
    try {
      Transaction transaction = transaction();
      try {
        return write.run(transaction);
      } catch (WebApiException | RuntimeException e) {
        if (write.atomic()) {
          transaction.rollBack();
        }
        throw e;
      }
    } finally {
      lock.unlock();
    }
  }

  /** A new transaction. The caller holds the lock. */
  Transaction transaction() {
    return new Transaction(store, clock.instant().truncatedTo(ChronoUnit.SECONDS));
  }

  /** What a call asks of the rows of a table, as of now. */
  Query query(Call call, TableSchema table) throws WebApiException {
    return Query.parse(store.schema(), table, clock.instant(), call.request().query());
  }

  Store store() {
    return store;
  }

  ReentrantLock lock() {
    return lock;
  }
}
