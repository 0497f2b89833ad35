/**
 * Lets streams begin anew when a person wants it: {@link dev.sluice.runs.reset.Reset} forgets how
 * far they have come, under their leases and in one transaction.
 */
@NullMarked
package dev.sluice.runs.reset;

import org.jspecify.annotations.NullMarked;
