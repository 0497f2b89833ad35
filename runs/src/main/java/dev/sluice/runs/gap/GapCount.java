package dev.sluice.runs.gap;

import java.time.Instant;

/**
 * How many detail gaps of a stream are in a state. Immutable.
 *
 * @param count how many; positive
 * @param oldest since when the oldest of them is missing
 */
public record GapCount(
    String collection, String stream, DetailGap.State state, long count, Instant oldest) {}
