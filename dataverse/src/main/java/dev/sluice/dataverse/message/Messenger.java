package dev.sluice.dataverse.message;

import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.Call.Reply;
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
   * Sends items of one table.
   *
   * @param lane the permit's lane
   * @throws IOException if no whole answer came; whether anything was done is unknown unless the
   *     connection was never made
   */
  Reply<Result> send(
      String lane, Table table, Operation operation, List<Item> items, MessageOptions options)
      throws IOException, InterruptedException;

  /**
   * Asks whether a row is there.
   *
   * @return true or false; null in the reply if the answer does not say
   */
  Reply<@Nullable Boolean> exists(String lane, Table table, RecordKey key)
      throws IOException, InterruptedException;

  /**
   * Asks whether a row is there that was made after a time, by the service's clock.
   *
   * @return true or false; null in the reply if the answer does not say
   */
  Reply<@Nullable Boolean> madeAfter(String lane, Table table, RecordKey key, Instant since)
      throws IOException, InterruptedException;
}
