package dev.sluice.collect.run;

import dev.sluice.runs.bookmark.Track;
import dev.sluice.runs.run.Outcome;
import java.util.Optional;

/**
 * How far a run brought a track. Immutable.
 *
 * @param outcome completed if it reached the present, or the end of its range
 * @param cursor where its bookmark stands now; empty at the beginning
 * @param slices how many the run committed
 * @param records how many records of its own list they had, details not included
 */
public record TrackResult(
    Track track, Outcome outcome, Optional<String> cursor, long slices, long records) {}
