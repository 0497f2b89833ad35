package dev.sluice.load.run;

import dev.sluice.gate.time.Time;
import dev.sluice.load.Rejection;
import dev.sluice.load.RowIds;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.load.reject.RejectFile;
import dev.sluice.load.reject.RejectReasons;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** A load that sends nothing: reads, maps and checks every record. */
public final class DryRun {
  private static final RowIds IDS = new RowIds(0, 0);

  private final LoadRequest request;
  private final InputStream standardInput;
  private long read;
  private long rejected;

  /**
   * What was found.
   *
   * @param read records in the input
   * @param rejected those that could not be sent, or whose look-ups to others of the same input
   *     could not be set
   * @param reasons what those could not be sent for
   * @param rejects where they are, with reasons; empty if there are none
   */
  public record Result(long read, long rejected, RejectReasons reasons, Optional<Path> rejects) {}

  private DryRun(LoadRequest request, InputStream standardInput) {
    this.request = request;
    this.standardInput = standardInput;
  }

  /**
   * Reads the whole input, twice if it has look-ups to rows of its own. Records that cannot be sent
   * are put into the reject file.
   *
   * @throws MappingException if columns have no place in the table
   * @throws IOException if the input cannot be read, or the reject file not be written
   */
  public static Result of(LoadRequest request, InputStream standardInput, Time time)
      throws IOException, MappingException {
    return new DryRun(request, standardInput).run(time);
  }

  private Result run(Time time) throws IOException, MappingException {
    try (RecordReader reader = open()) {
      RowMapper mapper = request.mapper(reader, IDS);
      Path file = RejectFile.beside(request.source(), ".dry-run", reader.layout());
      try (RejectFile rejects =
          RejectFile.fresh(file, reader.layout(), reader.columns(), request.names())) {
        if (request.mapping().hasSameFile()) {
          checkLinks(reader, mapper, rejects, time);
        } else {
          check(reader, mapper, rejects, (row, mapped) -> {});
        }
        return new Result(
            read,
            rejected,
            rejects.reasons(),
            rejected > 0 ? Optional.of(rejects.file()) : Optional.empty());
      }
    }
  }

  private RecordReader open() throws IOException {
    return Input.open(request.source(), request.input(), standardInput);
  }

  private void checkLinks(RecordReader reader, RowMapper mapper, RejectFile rejects, Time time)
      throws IOException, MappingException {
    try (LinkCheck links = new LinkCheck(IDS, time)) {
      check(reader, mapper, rejects, links::add);
      try (RecordReader again = open()) {
        rejected += links.rejected(again, request.mapper(again, IDS), rejects);
      }
    }
  }

  private interface Listener {
    void mapped(long row, Mapped mapped);
  }

  private void check(RecordReader reader, RowMapper mapper, RejectFile rejects, Listener listener)
      throws IOException {
    for (RawRecord record = reader.next(); record != null; record = reader.next()) {
      read++;
      Mapped mapped = mapper.map(record);
      listener.mapped(record.index(), mapped);
      if (mapped instanceof Mapped.Rejected(Rejection rejection, var links)) {
        rejected++;
        rejects.append(record, rejection.reason().wireName(), rejection.message());
      }
    }
  }
}
