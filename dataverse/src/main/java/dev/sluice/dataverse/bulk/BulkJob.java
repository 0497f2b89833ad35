package dev.sluice.dataverse.bulk;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.message.Item;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Table;
import dev.sluice.gate.Run;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is to be written, and how. Immutable, but for its source, listener and journal; carried out
 * once.
 *
 * @param run on whose account
 * @param expected how many records there are, if that is known
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
    OptionalLong expected,
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
    requireNonNull(expected, "expected");
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
        OptionalLong.empty(),
        List.of(),
        Optional.empty());
  }

  /** The same with other options. */
  public BulkJob withOptions(BulkOptions other) {
    return new BulkJob(
        table, operation, source, other, listener, journal, run, expected, resumed, since);
  }

  /** The same with somebody who hears of every record. */
  public BulkJob withListener(BulkListener other) {
    return new BulkJob(
        table, operation, source, options, other, journal, run, expected, resumed, since);
  }

  /** The same, written down, with what was begun before, and when. */
  public BulkJob withJournal(BulkJournal other, List<Begun> begun, Instant when) {
    return new BulkJob(
        table,
        operation,
        source,
        options,
        listener,
        other,
        run,
        expected,
        begun,
        Optional.of(when));
  }

  /** The same on another account. */
  public BulkJob withRun(Run other) {
    return new BulkJob(
        table, operation, source, options, listener, journal, other, expected, resumed, since);
  }

  /** The same with so many records to come. */
  public BulkJob withExpected(long records) {
    return new BulkJob(
        table,
        operation,
        source,
        options,
        listener,
        journal,
        run,
        OptionalLong.of(records),
        resumed,
        since);
  }
}
