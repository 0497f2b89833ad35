/**
 * The one seam for clocks, waiting and tasks. Everything that waits takes a {@link
 * dev.sluice.gate.time.Time}: real, on virtual threads, or simulated, one task at a time in an
 * order fixed by a seed, so that an hour passes in milliseconds and every run can be replayed.
 */
@NullMarked
package dev.sluice.gate.time;

import org.jspecify.annotations.NullMarked;
