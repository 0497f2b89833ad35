/**
 * Loads records from a file into a table. {@code input} reads records, {@code mapping} makes items
 * of them, {@code reject} keeps those that did not get in; here is what they share: why a record is
 * turned away ({@link dev.sluice.load.Rejection}) and which id a new row gets ({@link
 * dev.sluice.load.RowIds}).
 */
@NullMarked
package dev.sluice.load;

import org.jspecify.annotations.NullMarked;
