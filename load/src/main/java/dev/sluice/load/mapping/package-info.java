/**
 * What does a record mean to the table? A {@link dev.sluice.load.mapping.RowMapper} binds the
 * columns of an input to those of a table, as their names or a {@link
 * dev.sluice.load.mapping.Mapping} say, and makes an item of each record or says why it cannot.
 * Mistakes that concern all records are a {@link dev.sluice.load.mapping.MappingException}, before
 * anything is sent.
 */
@NullMarked
package dev.sluice.load.mapping;

import org.jspecify.annotations.NullMarked;
