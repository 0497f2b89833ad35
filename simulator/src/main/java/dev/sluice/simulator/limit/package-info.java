/**
 * How services count what they allow: a {@link dev.sluice.simulator.limit.Limiter} admits a request
 * or says how long it would have to wait, exact to the nanosecond. {@link
 * dev.sluice.simulator.limit.LimitOptions} describes one, as a value or in a few letters, and opens
 * it. Pure models on given time.
 */
@NullMarked
package dev.sluice.simulator.limit;

import org.jspecify.annotations.NullMarked;
