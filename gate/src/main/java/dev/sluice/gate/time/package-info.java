/**
 * The one seam for clocks, waiting and tasks. Everything that waits takes a {@link
 * dev.sluice.gate.time.Time}: real, on virtual threads, or {@link
 * dev.sluice.gate.time.SimulatedTime simulated}, one task at a time in an order fixed by a seed, so
 * that an hour passes in milliseconds and every failure can be replayed. A {@link
 * dev.sluice.gate.time.Simulation} holds the options of such a run, a {@link
 * dev.sluice.gate.time.Trace} what happened in it.
 */
@NullMarked
package dev.sluice.gate.time;

import org.jspecify.annotations.NullMarked;
