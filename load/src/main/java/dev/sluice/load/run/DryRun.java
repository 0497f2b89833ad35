package dev.sluice.load.run;

import dev.sluice.load.RowIds;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.RawRecord;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.Mapped;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.RowMapper;
import dev.sluice.load.reject.RejectFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Optional;

/** A load that sends nothing: reads, maps and checks every record. */
public final class DryRun {

  /**
   * What was found.
   *
   * @param read records in the input
   * @param rejected those that could not be sent
   * @param rejects where they are, with reasons; empty if there are none
   */
  public record Result(long read, long rejected, Optional<Path> rejects) {}

  private DryRun() {}

  /**
   * Reads the whole input. Records that cannot be sent are put into the reject file.
   *
   * @throws MappingException if columns have no place in the table
   * @throws IOException if the input cannot be read, or the reject file not be written
   */
  public static Result of(LoadRequest request, InputStream standardInput)
      throws IOException, MappingException {
    try (RecordReader reader = Input.open(request.source(), request.input(), standardInput)) {
      RowMapper mapper = request.mapper(reader, new RowIds(0, 0));
      Path file = RejectFile.beside(request.source(), reader.layout());
      try (RejectFile rejects = RejectFile.fresh(file, reader.layout(), reader.columns())) {
        return read(reader, mapper, rejects);
      }
    }
  }

  private static Result read(RecordReader reader, RowMapper mapper, RejectFile rejects)
      throws IOException {
    long read = 0;
    long rejected = 0;
    for (RawRecord record = reader.next(); record != null; record = reader.next()) {
      read++;
      if (mapper.map(record) instanceof Mapped.Rejected refused) {
        rejected++;
        rejects.append(
            record, refused.rejection().reason().wireName(), refused.rejection().message());
      }
    }
    return new Result(
        read, rejected, rejected > 0 ? Optional.of(rejects.file()) : Optional.empty());
  }
}
