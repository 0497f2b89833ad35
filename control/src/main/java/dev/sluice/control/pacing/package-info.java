/**
 * When may I send? A {@link dev.sluice.control.pacing.Gcra} spaces requests at a given rate; an
 * {@link dev.sluice.control.pacing.AdaptivePacer} finds that rate from what comes back; a {@link
 * dev.sluice.control.pacing.Hold} is a time before which nothing is sent at all.
 *
 * <p>A lane asks through a policy: {@link dev.sluice.control.pacing.PacedPolicy} where the limit is
 * unknown, {@link dev.sluice.control.pacing.FixedRatePolicy} where it is known.
 */
@NullMarked
package dev.sluice.control.pacing;

import org.jspecify.annotations.NullMarked;
