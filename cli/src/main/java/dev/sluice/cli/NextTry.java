package dev.sluice.cli;

import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.run.Reason;
import java.time.Instant;
import java.util.Optional;

/** When what is missing is tried again. */
final class NextTry {
  private static final String NEXT_RUN = "by the next run";
  private static final String SOMEBODY = "once somebody has acted (sluice status says how)";

  private NextTry() {}

  /** For people. */
  static String words(StreamGap gap) {
    return needsSomebody(gap.reason())
        ? SOMEBODY
        : time(gap).map(due -> "from " + Times.at(due)).orElse(NEXT_RUN);
  }

  /** For people. */
  static String words(DetailGap gap, Instant now) {
    return switch (gap.state()) {
      case PENDING ->
          needsSomebody(Reason.named(gap.reason()))
              ? SOMEBODY
              : gap.due().isAfter(now) ? "from " + Times.at(gap.due()) : NEXT_RUN;
      case LEASED -> "now";
      case QUARANTINED, GONE -> "once it is requeued";
      case RECOVERED -> "never";
    };
  }

  /**
   * Before which nobody tries; empty if nothing but the next run is waited for. Only pressure makes
   * a run wait.
   */
  static Optional<Instant> time(StreamGap gap) {
    return gap.reason() instanceof Reason.Pressure ? Optional.of(gap.due()) : Optional.empty();
  }

  /** Whether nothing is tried until a person has settled it with the provider. */
  static boolean needsSomebody(Reason reason) {
    return reason instanceof Reason.Failure failure && failure.needsSomebody();
  }
}
