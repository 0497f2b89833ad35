package dev.sluice.cli;

import dev.sluice.collect.run.CollectionRequest;
import dev.sluice.collect.run.CollectionResult;
import dev.sluice.collect.run.TrackResult;
import dev.sluice.gate.words.ShellWord;
import dev.sluice.runs.gap.DetailGap;
import dev.sluice.runs.gap.GapCount;
import dev.sluice.runs.run.Outcome;
import dev.sluice.runs.run.Reason;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is said when a collection run has ended: why, and who has to do what. */
final class CollectEnding {
  private final CollectionRequest request;
  private final CollectionResult result;
  private final List<GapCount> gaps;
  private final NamedCommands commands;

  /**
   * The end of a run.
   *
   * @param gaps how the collection's detail gaps stand now
   * @param commands that find the same state
   */
  CollectEnding(
      CollectionRequest request,
      CollectionResult result,
      List<GapCount> gaps,
      NamedCommands commands) {
    this.request = request;
    this.result = result;
    this.gaps = List.copyOf(gaps);
    this.commands = commands;
  }

  ExitCode code() {
    return ExitCode.of(result.outcome());
  }

  /** For people; empty if there is nothing to say. */
  String message() {
    return commands.in(
        Stream.of(ending(), elsewhere())
            .filter(clause -> !clause.isEmpty())
            .collect(Collectors.joining("; ")));
  }

  /** An outcome tells of the tracks that the run had, and only of those. */
  private String elsewhere() {
    return result.elsewhere().isEmpty() || result.outcome() instanceof Outcome.AlreadyRunning
        ? ""
        : "another run is at "
            + result.elsewhere().stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  private String ending() {
    return switch (result.outcome()) {
      case Outcome.Completed completed -> "";
      case Outcome.CompletedWithRejections rejections -> "";
      case Outcome.CompletedWithGaps missing -> missing();
      case Outcome.Cancelled cancelled ->
          "stopped; the same command goes on from here" + failures();
      case Outcome.Deferred(Reason.Deferral reason, String detail) ->
          "deferred, because %s (%s); the same command goes on from here%s"
              .formatted(reason.words(), detail, failures());
      case Outcome.Failed(Reason.Failure reason, String detail) ->
          "failed, because %s (%s)%s".formatted(reason.words(), detail, remedy(reason));
      case Outcome.AlreadyRunning running -> "another process is at this collection";
    };
  }

  private String missing() {
    long waiting = count(DetailGap.State.PENDING) + count(DetailGap.State.LEASED);
    long givenUp = count(DetailGap.State.QUARANTINED);
    if (givenUp == 0) {
      return "details of %s are missing; later runs fetch them"
          .formatted(Count.of(waiting, "record"));
    }
    String requeue =
        "details of %s were refused too often, and no run tries them again by itself: %s tells why, %s lets the next run try"
            .formatted(
                Count.of(givenUp, "record"), command("gaps explain"), command("gaps requeue"));
    return waiting == 0
        ? requeue
        : "%s; details of %s more are fetched by later runs"
            .formatted(requeue, Count.of(waiting, "record"));
  }

  private long count(DetailGap.State state) {
    return gaps.stream()
        .filter(each -> each.collection().equals(request.name()) && each.state() == state)
        .mapToLong(GapCount::count)
        .sum();
  }

  private String command(String what) {
    return "sluice %s %s".formatted(what, request.name());
  }

  /** What ended the run hides what ended a stream before. */
  private String failures() {
    String failed =
        result.tracks().stream()
            .filter(track -> track.outcome() instanceof Outcome.Failed)
            .map(TrackResult::track)
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return failed.isEmpty()
        ? ""
        : "; but %s failed, which another run alone does not mend".formatted(failed);
  }

  private String remedy(Reason.Failure reason) {
    return NextTry.needsSomebody(reason)
        ? "; once that is settled: sluice status --reopen %s"
            .formatted(ShellWord.quoted(request.connector().provider().lane()))
        : "";
  }
}
