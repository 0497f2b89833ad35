package dev.sluice.cli;

import dev.sluice.runs.gap.DetailGaps;
import dev.sluice.runs.gap.GapCount;
import dev.sluice.runs.gap.StreamGap;
import dev.sluice.runs.gap.StreamGaps;
import dev.sluice.runs.run.RunRecord;
import dev.sluice.runs.run.Runs;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is done through a lane, and what is left to do: the collections whose last run used it, and
 * what they are missing. Immutable.
 *
 * @param last the last run of each of its collections, the latest one last
 * @param details how many records lack their details
 * @param streams how many streams stopped before their end
 * @param oldest since when the oldest of these is missing; empty if nothing is
 */
record LaneWork(List<RunRecord> last, long details, long streams, Optional<Instant> oldest) {

  /** Of a lane, as the store knows it. */
  static LaneWork of(Transaction transaction, String lane) {
    List<RunRecord> last =
        Runs.lastOnLanes(transaction).stream()
            .filter(run -> run.lane().orElse("").equals(lane))
            .toList();
    List<String> collections = last.stream().map(RunRecord::name).toList();
    List<GapCount> details =
        DetailGaps.counts(transaction).stream()
            .filter(each -> each.state().isOpen() && collections.contains(each.collection()))
            .toList();
    List<StreamGap> streams =
        StreamGaps.all(transaction).stream()
            .filter(gap -> collections.contains(gap.track().collection()))
            .toList();
    return new LaneWork(
        last,
        details.stream().mapToLong(GapCount::count).sum(),
        streams.size(),
        Stream.concat(
                details.stream().map(GapCount::oldest), streams.stream().map(StreamGap::since))
            .min(Instant::compareTo));
  }

  /** Whether one of them is at work. */
  boolean isRunning() {
    return last.stream().anyMatch(RunRecord::running);
  }

  /** Those that neither ended nor are at work. */
  List<RunRecord> killed() {
    return last.stream().filter(run -> run.ended().isEmpty() && !run.running()).toList();
  }

  /** How many retries its latest run had left at its end; empty if that is not known. */
  Optional<Long> retriesLeft() {
    return last.stream()
        .filter(run -> run.counts().containsKey(RunRecord.RETRIES_LEFT))
        .reduce((one, later) -> later)
        .map(run -> run.counts().get(RunRecord.RETRIES_LEFT));
  }

  /** What is missing, and for how long already, for people. */
  String backlog(Instant now) {
    return oldest
        .map(
            since ->
                "%s, for up to %s"
                    .formatted(
                        Stream.of(
                                details == 0 ? "" : "details of " + Count.of(details, "record"),
                                streams == 0 ? "" : "the rest of " + Count.of(streams, "stream"))
                            .filter(part -> !part.isEmpty())
                            .collect(Collectors.joining(" and ")),
                        Times.span(Math.max(0, now.toEpochMilli() - since.toEpochMilli()))))
        .orElse("none");
  }
}
