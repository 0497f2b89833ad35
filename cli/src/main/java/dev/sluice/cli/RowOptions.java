package dev.sluice.cli;

import dev.sluice.load.input.Format;
import dev.sluice.load.input.InputOptions;
import dev.sluice.load.mapping.Mapping;
import dev.sluice.load.mapping.MappingException;
import dev.sluice.load.mapping.MappingFile;
import dev.sluice.load.mapping.MappingOptions;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.UnsupportedCharsetException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a load that say how its file is written, and what its rows mean. */
final class RowOptions {
  /** What an empty cell means. */
  enum Empty {
    keep,
    clear
  }

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec command;

  @Option(
      names = "--key",
      paramLabel = "COLUMN",
      split = ",",
      description = "An alternate key's columns, instead of the primary key.")
  private List<String> key = List.of();

  @Option(
      names = "--mapping",
      paramLabel = "FILE",
      description = "A YAML file that says what columns mean.")
  private @Nullable Path mapping;

  @Option(
      names = "--empty",
      paramLabel = "WHAT",
      defaultValue = "keep",
      description = "An empty cell leaves its column alone (keep) or sets it to null (clear).")
  @SuppressWarnings("NullAway.Init") // has a default
  private Empty empty;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "UTC",
      description = "Where times were written that do not say it (default: UTC).")
  @SuppressWarnings("NullAway.Init") // has a default
  private String zone;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "csv or json-lines (default: by the file's name, else by its first letter).")
  private @Nullable Format format;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      description = "Between the cells of a CSV file (default: found out).")
  private @Nullable Character delimiter;

  @Option(
      names = "--encoding",
      paramLabel = "NAME",
      description = "Of the characters (default: UTF-8, or what a byte order mark says).")
  private @Nullable String encoding;

  /**
   * How the file is written.
   *
   * @throws ParameterException if what was said cannot be
   */
  InputOptions input() {
    InputOptions input = InputOptions.DEFAULTS;
    try {
      if (format != null) {
        input = input.withFormat(format);
      }
      if (delimiter != null) {
        input = input.withDelimiter(delimiter);
      }
      if (encoding != null) {
        input = input.withEncoding(Charset.forName(encoding));
      }
      return input;
    } catch (IllegalCharsetNameException | UnsupportedCharsetException e) {
      throw wrong(
          "--encoding is '%s', but must be one like UTF-8 or windows-1252".formatted(encoding));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  /**
   * What the mapping file says of columns; nothing without one.
   *
   * @throws MappingException if it has mistakes
   */
  Mapping mapping() throws MappingException {
    return mapping == null ? Mapping.NONE : MappingFile.read(mapping);
  }

  /**
   * How records become items.
   *
   * @throws ParameterException if what was said cannot be
   */
  MappingOptions mappingOptions() {
    try {
      return new MappingOptions(empty == Empty.clear, key, ZoneId.of(zone));
    } catch (DateTimeException e) {
      throw wrong("--zone is '%s', but must be one like UTC or Europe/Berlin".formatted(zone));
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
