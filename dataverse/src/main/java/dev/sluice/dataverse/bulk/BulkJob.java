package dev.sluice.dataverse.bulk;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is to be written, and how. Immutable, but for its source, listener and journal; carried out
 * once.
 *
 * @param run on whose account
 * @param resumed what an earlier process began and did not finish
 * @param since when the work was begun, by an earlier process if there was one: a row made before
 *     that is none of this work. Empty for the time at which the job is carried out
 */
public record BulkJob(
    Table table,
    Operation operation,
    ItemSource source,
    BulkOptions options,
    BulkListener listener,
    BulkJournal journal,
    Run run,
    List<Begun> resumed,
    Optional<Instant> since) {

  /**
   * A composition that was written down and may have been sent.
   *
   * @param number under which the journal knows it
   * @param items exactly those that it had
   */
  public record Begun(long number, List<Item> items) {
    public Begun {
      items = List.copyOf(items);
    }
  }

  public BulkJob {
    requireNonNull(table, "table");
    requireNonNull(operation, "operation");
    requireNonNull(source, "source");
    requireNonNull(options, "options");
    requireNonNull(listener, "listener");
    requireNonNull(journal, "journal");
    requireNonNull(run, "run");
    resumed = List.copyOf(resumed);
    requireNonNull(since, "since");
  }

  /** A job with defaults. */
  public static BulkJob of(Table table, Operation operation, ItemSource source) {
    return new BulkJob(
        table,
        operation,
        source,
        BulkOptions.DEFAULTS,
        BulkListener.NOBODY,
        BulkJournal.NONE,
        Run.unbounded(),
        List.of(),
        Optional.empty());
  }

  /** The same with other options. */
  public BulkJob withOptions(BulkOptions other) {
    return new BulkJob(table, operation, source, other, listener, journal, run, resumed, since);
  }

  /** The same with somebody who hears of every record. */
  public BulkJob withListener(BulkListener other) {
    return new BulkJob(table, operation, source, options, other, journal, run, resumed, since);
  }

  /** The same, written down, with what was begun before, and when. */
  public BulkJob withJournal(BulkJournal other, List<Begun> begun, Instant when) {
    return new BulkJob(
        table, operation, source, options, listener, other, run, begun, Optional.of(when));
  }

  /** The same on another account. */
  public BulkJob withRun(Run other) {
    return new BulkJob(table, operation, source, options, listener, journal, other, resumed, since);
  }
}
