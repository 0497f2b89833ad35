/**
 * What went wrong, as a closed set of types: a {@link dev.sluice.dataverse.fault.Fault} says what
 * an error answer means for the records that were sent, and whether to try again.
 */
@NullMarked
package dev.sluice.dataverse.fault;

import org.jspecify.annotations.NullMarked;
