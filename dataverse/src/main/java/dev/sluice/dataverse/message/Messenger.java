package dev.sluice.dataverse.message;

import dev.sluice.control.signal.Signal;
import dev.sluice.dataverse.table.Table;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends one message through one identity, once, and reads what came back. It neither waits nor
 * repeats: that is for whoever holds the permit. Thread-safe.
 */
public interface Messenger {

  /**
   * What came back.
   *
   * @param signal what it says to the gate
   */
  record Reply<T extends @Nullable Object>(T value, Signal signal) {}

  /**
   * Sends items of one table.
   *
   * @param identity the permit's lane
   * @throws IOException if no whole answer came; whether anything was done is unknown unless the
   *     connection was never made
   */
  Reply<Result> send(
      String identity, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException;

  /**
   * Asks whether a row is there.
   *
   * @return true or false; null in the reply if the answer does not say
   */
  Reply<@Nullable Boolean> exists(String identity, Table table, RecordKey key)
      throws IOException, InterruptedException;

  /**
   * Asks when a row was made, by the service's clock.
   *
   * @return null in the reply if it is not there, or the answer does not say
   */
  Reply<@Nullable Instant> createdOn(String identity, Table table, RecordKey key)
      throws IOException, InterruptedException;
}
