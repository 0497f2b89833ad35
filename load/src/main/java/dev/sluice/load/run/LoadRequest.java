package dev.sluice.load.run;

import static java.util.Objects.requireNonNull;

import dev.sluice.dataverse.bulk.BulkOptions;
import dev.sluice.dataverse.message.Operation;
import dev.sluice.dataverse.table.Column;
import dev.sluice.dataverse.table.Table;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingOptions;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.runs.run.Envelope;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What is loaded, and how. Immutable.
 *
 * @param environment where the table is; two environments never share a load
 * @param table where records go
 * @param operation what is done with each
 * @param source a file, or {@code -} for standard input
 * @param input how it is written
 * @param mapping what its columns mean
 * @param mappingOptions how records become items
 * @param bulk how items are sent
 * @param envelope what this run may spend; the next one goes on
 * @param maxRejects how many rejected records end it
 * @param restart whether an unfinished load of the same input is forgotten
 * @param name by which the load is known; empty for by its content
 * @param again whether an input is loaded once more that was loaded before
 * @param caller on whose behalf rows are written; empty for the application users themselves
 */
public record LoadRequest(
    String environment,
    Table table,
    Operation operation,
    String source,
    InputOptions input,
    Mapping mapping,
    MappingOptions mappingOptions,
    BulkOptions bulk,
    Envelope envelope,
    RejectLimit maxRejects,
    boolean restart,
    Optional<String> name,
    boolean again,
    Optional<UUID> caller) {

  public LoadRequest {
    requireNonNull(environment, "environment");
    requireNonNull(table, "table");
    requireNonNull(operation, "operation");
    requireNonNull(source, "source");
    requireNonNull(input, "input");
    requireNonNull(mapping, "mapping");
    requireNonNull(mappingOptions, "mappingOptions");
    requireNonNull(bulk, "bulk");
    requireNonNull(envelope, "envelope");
    requireNonNull(maxRejects, "maxRejects");
    requireNonNull(name, "name");
    requireNonNull(caller, "caller");
    if (name.isPresent() && (name.get().isBlank() || name.get().lines().count() > 1)) {
      throw new IllegalArgumentException(
          "the name of a load is '%s', but must be some text on one line".formatted(name.get()));
    }
  }

  /** A load with defaults. */
  public static LoadRequest of(
      String environment, Table table, Operation operation, String source) {
    return new LoadRequest(
        environment,
        table,
        operation,
        source,
        InputOptions.DEFAULTS,
        Mapping.NONE,
        MappingOptions.DEFAULTS,
        BulkOptions.DEFAULTS,
        Envelope.UNBOUNDED,
        RejectLimit.DEFAULT,
        false,
        Optional.empty(),
        false,
        Optional.empty());
  }

  /** The same into a table as the service describes it. */
  public LoadRequest into(Table described) {
    return new LoadRequest(
        environment,
        described,
        operation,
        source,
        input,
        mapping,
        mappingOptions,
        bulk,
        envelope,
        maxRejects,
        restart,
        name,
        again,
        caller);
  }

  /**
   * What makes items of the records of a reader.
   *
   * @param ids for creates that do not bring their own
   * @throws MappingException if columns have no place in the table
   */
  RowMapper mapper(RecordReader reader, RowIds ids) throws MappingException {
    if (readsStandardInput() && mapping.hasSameFile()) {
      throw new MappingException(
          List.of(
              "a look-up to the same file (same-file) needs an input that can be read twice;"
                  + " name a file instead of standard input"));
    }
    return RowMapper.of(reader, table, operation, mapping, mappingOptions, ids);
  }

  /** What the table and its columns are called. */
  List<String> names() {
    return Stream.concat(
            Stream.of(table.logicalName()), table.columns().stream().map(Column::logicalName))
        .toList();
  }

  /** Whether there is no file, but a stream that comes once. */
  boolean readsStandardInput() {
    return source.equals(Input.STANDARD_INPUT);
  }

  /** What must be the same for a run to go on with the work of another. */
  String work() {
    return String.join(
            " ",
            List.of(
                operation.wireName(),
                table.logicalName(),
                "key=" + mappingOptions.key(),
                "empty=" + (mappingOptions.clearEmpty() ? "clear" : "keep"),
                "zone=" + mappingOptions.zone(),
                "mapping=" + Integer.toHexString(mapping.withoutPlaces().toString().hashCode())))
        + caller.map(" caller=%s"::formatted).orElse("");
  }
}
