/**
 * What came back: a {@link dev.sluice.control.signal.Signal} says what an answer means for those
 * who come after it, and a {@link dev.sluice.control.signal.QuotaHint} is one statement about one
 * limit that rode along with it.
 */
@NullMarked
package dev.sluice.control.signal;

import org.jspecify.annotations.NullMarked;
