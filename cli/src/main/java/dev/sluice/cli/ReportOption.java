package dev.sluice.cli;

import dev.sluice.load.run.LoadRequest;
import dev.sluice.load.run.LoadResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The option {@code --report} of a load. */
final class ReportOption {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec spec;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      arity = "0..1",
      fallbackValue = "",
      description = {
        "Writes an HTML page about the load: how fast it was over time, what limited it,",
        "what was rejected (without a value: INPUT.report.html beside the input)."
      })
  private @Nullable Path file;

  /** Refuses a name that belongs to somebody's file, before anything is done. */
  void check() {
    if (file == null || file.toString().isEmpty()) {
      return;
    }
    try {
      if (!ReportFile.mayWrite(file)) {
        throw new ParameterException(
            spec.commandLine(),
            "--report is '%s', which exists and is no report of Sluice; choose another name"
                .formatted(file));
      }
    } catch (IOException e) {
      throw new ParameterException(
          spec.commandLine(), "--report is '%s', which cannot be read: %s".formatted(file, e));
    }
  }

  /** Writes it, if it is wanted; a place that cannot be written is no failure of the load. */
  void write(LoadRequest request, LoadResult result, LoadAdvice advice) {
    if (file == null) {
      return;
    }
    PrintWriter err = spec.commandLine().getErr();
    try {
      Path where =
          file.toString().isEmpty() ? ReportFile.free(LoadReport.beside(request.source())) : file;
      ReportFile.write(where, LoadReport.page(request, result, advice));
      err.printf("report: %s%n", where);
    } catch (IOException e) {
      err.printf("The report cannot be written: %s%n", e);
    }
    err.flush();
  }
}
