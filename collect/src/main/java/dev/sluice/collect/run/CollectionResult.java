package dev.sluice.collect.run;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.run.Outcome;
import java.util.List;
import java.util.Map;

/**
 * How a run ended. Immutable.
 *
 * @param tracks each that it worked on, or would have
 * @param records how many were written, by stream; recovered ones included
 * @param openGaps how many details are known to be missing now
 */
public record CollectionResult(
    Outcome outcome,
    CollectionProgress progress,
    List<TrackResult> tracks,
    Map<String, Long> records,
    long openGaps) {
  public CollectionResult {
    tracks = List.copyOf(tracks);
    records = Map.copyOf(records);
  }

  /** How many records of a stream were written. */
  public long records(String stream) {
    return records.getOrDefault(stream, 0L);
  }

  /** What another run is at, and this one therefore left, or had to leave. */
  public List<Track> elsewhere() {
    return tracks.stream()
        .filter(each -> each.outcome() instanceof Outcome.AlreadyRunning)
        .map(TrackResult::track)
        .toList();
  }
}
