package dev.sluice.runs.store;

import dev.sluice.gate.time.Time;
import dev.sluice.runs.store.Dialect.Access;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Transactions on a database that is reached by JDBC: one connection writes, and others may read.
 */
final class JdbcStore implements Store {
  private final Dialect dialect;
  private final JdbcSession writer;
  private final List<JdbcSession> readers;
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * Connects when it is first used.
   *
   * @param readers how many connections only read; if there are none, the one that writes does
   * @param longestRestart how long a server is waited for that was there before
   */
  JdbcStore(Dialect dialect, Time time, int readers, Duration longestRestart) {
    this.dialect = dialect;
    Outage outage = new Outage(time, longestRestart);
    this.writer = new JdbcSession(dialect, true, time, outage);
    this.readers =
        readers == 0
            ? List.of(writer)
            : Stream.generate(() -> new JdbcSession(dialect, false, time, outage))
                .limit(readers)
                .toList();
  }

  /** Makes the tables of a store, or brings them up to date; closes it if that cannot be done. */
  JdbcStore upToDate() {
    try {
      Schema.bringUpToDate(this, dialect);
      return this;
    } catch (StoreException e) {
      close();
      throw e;
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    refuseInsideAnother();
    return writer.run(Access.WRITE, work);
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    return read(Access.READ, work);
  }

  @Override
  public <T extends @Nullable Object> T look(Work<T> work) {
    return read(Access.LOOK, work);
  }

  private <T extends @Nullable Object> T read(Access access, Work<T> work) {
    refuseInsideAnother();
    for (JdbcSession reader : readers) {
      if (!reader.isBusy()) {
        return reader.run(access, work);
      }
    }
    return readers.get(Math.floorMod(turn.getAndIncrement(), readers.size())).run(access, work);
  }

  private void refuseInsideAnother() {
    if (writer.isUsedByCaller() || readers.stream().anyMatch(JdbcSession::isUsedByCaller)) {
      throw new IllegalStateException("a transaction was begun inside another one");
    }
  }

  @Override
  public void close() {
    writer.close();
    readers.forEach(JdbcSession::close);
  }

  @Override
  public String toString() {
    return dialect.toString();
  }
}
