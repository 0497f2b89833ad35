/**
 * What did not get in, and why? A {@link dev.sluice.load.reject.RejectFile} stands beside the
 * input, looks like it, and has two columns more; corrected, it can be loaded as it is.
 */
@NullMarked
package dev.sluice.load.reject;

import org.jspecify.annotations.NullMarked;
