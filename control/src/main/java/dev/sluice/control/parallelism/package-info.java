/**
 * How many at once? An {@link dev.sluice.control.parallelism.AimdPolicy} finds the answer for one
 * lane: it adds a little after sustained success, gives up half when throttled, and stays below
 * what slow batches can afford; a {@link dev.sluice.control.parallelism.FixedPolicy} is simply told
 * it. {@link dev.sluice.control.parallelism.AdaptiveRateController} is the same search for callers
 * without lanes, by connection name and from any thread; {@link
 * dev.sluice.control.parallelism.AdaptiveRateOptions} tunes both and says which policy was meant.
 */
@NullMarked
package dev.sluice.control.parallelism;

import org.jspecify.annotations.NullMarked;
