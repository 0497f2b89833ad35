/**
 * The controllers behind Sluice: pure, single-threaded state machines on given time.
 *
 * <p>Every outgoing request raises six questions; each has a package here, and nothing else answers
 * it: {@code pacing} (when may I send?), {@code parallelism} (how many at once?), {@code routing}
 * (through which identity?), {@code retry} (may I try again?), {@code circuit} (should I call at
 * all?), {@code budget} (does the run go on?). {@code signal} is what came back, {@code policy} how
 * a lane asks the first two questions, and {@code lane} puts the answers for one account together.
 *
 * <p>Times are nanoseconds of one monotonic clock with an arbitrary origin, which may be negative.
 * Controllers compare differences only; a lane takes it that its clock does not wrap.
 */
@NullMarked
package dev.sluice.control;

import org.jspecify.annotations.NullMarked;
