package dev.sluice.cli;

import dev.sluice.dataverse.table.Table;
import dev.sluice.load.input.Input;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.input.RecordReader;
import dev.sluice.load.mapping.MappingTemplate;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options for a mapping to start from. */
final class MappingOutput {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Option(
      names = "--write-mapping",
      paramLabel = "FILE",
      description = "Write a mapping for the table to start from, for 'sluice load --mapping'.")
  private @Nullable Path file;

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "CSV or JSON Lines whose columns the mapping is for.")
  private @Nullable String source;

  @Option(names = "--force", description = "Overwrite the mapping if it is there already.")
  private boolean force;

  private List<String> columns = List.of();

  /** Reads what the mapping is for, and refuses what cannot be written in the end. */
  void check(boolean hasTable) {
    columns = List.of();
    if (file == null) {
      if (source != null) {
        throw wrong("--file is for --write-mapping, which is missing");
      }
      return;
    }
    if (!hasTable) {
      throw wrong("--write-mapping needs --table: which table the mapping is for");
    }
    NewFile.check(spec, file, force);
    if (source != null) {
      try (RecordReader reader =
          Input.open(source, InputOptions.DEFAULTS, InputStream.nullInputStream())) {
        columns = List.copyOf(reader.columns());
      } catch (IOException e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
    }
  }

  /** Writes the mapping, if it is wanted; false if that failed, which was said. */
  boolean write(Table table) {
    if (file == null) {
      return true;
    }
    MappingTemplate.Written written =
        MappingTemplate.of(table, source == null ? "" : source, columns);
    if (!NewFile.write(spec, file, written.text(), force)) {
      return false;
    }
    String what =
        source == null
            ? "every column of %s, commented out".formatted(table.logicalName())
            : "%d columns of %s go to columns of %s, %d are skipped"
                .formatted(written.mapped(), source, table.logicalName(), written.skipped());
    PrintWriter err = spec.commandLine().getErr();
    err.printf("Wrote %s: %s.%n", file, what);
    err.flush();
    return true;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
