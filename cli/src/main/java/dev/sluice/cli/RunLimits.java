package dev.sluice.cli;

import dev.sluice.runs.run.Envelope;
import dev.sluice.simulator.dataverse.Settings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options {@code --max-requests} and {@code --max-time}: what one run may spend. */
final class RunLimits {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // set by picocli before anything is called
  private CommandSpec command;

  @Option(
      names = "--max-requests",
      paramLabel = "N",
      description = "Stops after so many requests; the next run goes on.")
  private @Nullable Long maxRequests;

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      description = "Stops after this time, as in 90s or 2h; the next run goes on.")
  private @Nullable String maxTime;

  /**
   * What was said, and for the rest what is configured.
   *
   * @throws ParameterException if what was said cannot be
   */
  Envelope over(Envelope configured) {
    Envelope envelope = configured;
    if (maxRequests != null) {
      if (maxRequests < 1) {
        throw wrong(
            "--max-requests is %d, but must be 1 or more (leave it out for no limit)"
                .formatted(maxRequests));
      }
      envelope = envelope.withRequestCap(maxRequests);
    }
    return maxTime == null ? envelope : envelope.withWallClock(time(maxTime));
  }

  private Duration time(String text) {
    Duration time;
    try {
      time = Settings.time("--max-time", text);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
    if (!time.isPositive()) {
      throw wrong(
          "--max-time is '%s', but must be above 0 (leave it out for no limit)".formatted(text));
    }
    return time;
  }

  private ParameterException wrong(String message) {
    return new ParameterException(command.commandLine(), message);
  }
}
