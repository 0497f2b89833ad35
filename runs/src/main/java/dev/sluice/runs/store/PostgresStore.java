package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A store in a schema of a PostgreSQL database, for processes on many machines.
 *
 * <p>Whoever writes holds one lock of the database for as long as its transaction lasts ({@code
 * pg_advisory_xact_lock}, one per store), so that nobody else writes meanwhile, and every statement
 * sees all that was committed before. Serializable transactions would promise the same and let
 * writers run side by side, but some would have to be run again, and {@linkplain Work work} runs
 * once: it may have told others already. What is written is little, and grouped by those who have
 * much. The server gives the lock back when a transaction ends, however it ends.
 *
 * <p>One connection writes, and up to {@value #READERS} read; each reading transaction sees one
 * moment. The clock is the server's, so that all machines agree.
 */
final class PostgresStore implements Store {
  private static final int READERS = 3;

  private final DatabaseAddress address;
  private final PostgresSession writer;
  private final List<PostgresSession> readers;
  private final AtomicInteger turn = new AtomicInteger();

  private PostgresStore(
      DatabaseAddress address, Login login, Time time, @Nullable InstantSource clock) {
    this.address = address;
    Outage outage = new Outage(time);
    this.writer = new PostgresSession(address, login, true, clock, time, outage);
    this.readers =
        Stream.generate(() -> new PostgresSession(address, login, false, clock, time, outage))
            .limit(READERS)
            .toList();
  }

  /**
   * Opens the database, and makes the schema and its tables if there are none.
   *
   * @param time on which a server is waited for that restarts
   * @param clock instead of the server's, for tests in simulated time; null for the server's
   */
  static Store open(
      DatabaseAddress address, Login login, Time time, @Nullable InstantSource clock) {
    PostgresStore store = new PostgresStore(address, login, time, clock);
    try {
      Schema.bringUpToDate(store, new PostgresDialect(address));
      return store;
    } catch (StoreException e) {
      store.close();
      throw e;
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    refuseInsideAnother();
    return writer.run(work);
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    refuseInsideAnother();
    return readers.stream()
        .filter(reader -> !reader.isBusy())
        .findFirst()
        .orElseGet(() -> readers.get(Math.floorMod(turn.getAndIncrement(), READERS)))
        .run(work);
  }

  private void refuseInsideAnother() {
    if (writer.isUsedByCaller() || readers.stream().anyMatch(PostgresSession::isUsedByCaller)) {
      throw new IllegalStateException("a transaction was begun inside another one");
    }
  }

  @Override
  public void close() {
    writer.close();
    readers.forEach(PostgresSession::close);
  }

  @Override
  public String toString() {
    return "store " + address;
  }
}
