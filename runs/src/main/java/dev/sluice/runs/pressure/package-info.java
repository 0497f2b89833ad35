/**
 * What is known of a provider's limits from one run to the next. A {@link
 * dev.sluice.runs.pressure.Cooldown} keeps away from a provider that asked for a rest; a {@link
 * dev.sluice.runs.pressure.LaneRecord} is all that a store remembers of a lane, and a {@link
 * dev.sluice.runs.pressure.LaneMemory} stands between that and a gate.
 */
@NullMarked
package dev.sluice.runs.pressure;

import org.jspecify.annotations.NullMarked;
