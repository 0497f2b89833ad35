package dev.sluice.cli;

import dev.sluice.dataverse.fault.Fault;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * How a command ended, for scripts: the same few numbers for every command.
 *
 * <p>The numbers are a promise: none of them ever changes its meaning.
 */
public enum ExitCode {
  /** Everything that was asked for is done. */
  DONE(0, "done"),
  /** The work came to its end, but some records were refused; each is listed with its reason. */
  REJECTED_RECORDS(1, "finished, with rejected records"),
  /** The work did not come to its end. */
  FAILED(2, "failed"),
  /** Nothing was tried: an argument, an option or the configuration is wrong. */
  BAD_ARGUMENTS(3, "bad arguments or configuration"),
  /** The other side could not be reached. */
  NO_CONNECTION(4, "could not connect"),
  /** The other side does not accept who we say we are. */
  NOT_SIGNED_IN(5, "not signed in"),
  /** The work stopped early on purpose, and goes on from there when it is started again. */
  DEFERRED(6, "deferred; start again to go on"),
  /** Another process is at the same work. */
  RUNNING_ELSEWHERE(7, "already running elsewhere");

  private final int number;
  private final String meaning;

  ExitCode(int number, String meaning) {
    this.number = number;
    this.meaning = meaning;
  }

  /** How a command ends whose run has ended so. */
  static ExitCode of(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Completed completed -> DONE;
      case Outcome.CompletedWithRejections rejections -> REJECTED_RECORDS;
      case Outcome.CompletedWithGaps gaps -> DEFERRED;
      case Outcome.Cancelled cancelled -> DEFERRED;
      case Outcome.Deferred deferred -> DEFERRED;
      case Outcome.Failed failed ->
          failed.reason() == Reason.Failure.AUTH_FAILURE ? NOT_SIGNED_IN : FAILED;
      case Outcome.AlreadyRunning running -> RUNNING_ELSEWHERE;
    };
  }

  /** How a command ends that the service did not let begin. */
  static ExitCode of(Fault fault) {
    return switch (fault) {
      case Fault.Authentication refused -> NOT_SIGNED_IN;
      case Fault.UnknownOutcome unknown -> NO_CONNECTION;
      case Fault.NotDataverse foreign -> NO_CONNECTION;
      // The name of the table is all that was asked with.
      case Fault.NotFound missing -> BAD_ARGUMENTS;
      case Fault.Unsupported unsupported -> BAD_ARGUMENTS;
      case Fault.Validation invalid -> BAD_ARGUMENTS;
      default -> FAILED;
    };
  }

  /**
   * Says on standard error why a command ends like this.
   *
   * @return the number
   */
  int because(CommandSpec command, @Nullable String message) {
    PrintWriter err = command.commandLine().getErr();
    err.printf("%s: %s%n", command.qualifiedName(), message);
    err.flush();
    return number;
  }

  /** What the process returns to whoever started it. */
  public int number() {
    return number;
  }

  /** The meaning in a few words, as the help prints it. */
  public String meaning() {
    return meaning;
  }
}
