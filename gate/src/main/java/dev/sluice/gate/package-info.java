/**
 * The only place that queues and waits. A {@link dev.sluice.gate.Gate} stands before one lane or
 * many; callers acquire a {@link dev.sluice.gate.Permit} on account of a {@link
 * dev.sluice.gate.Run}, make their call, and settle the permit with what came back. Whoever cannot
 * be let through in time is told why by a {@link dev.sluice.gate.Refusal}.
 */
@NullMarked
package dev.sluice.gate;

import org.jspecify.annotations.NullMarked;
