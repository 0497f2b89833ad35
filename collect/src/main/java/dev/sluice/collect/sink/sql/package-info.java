/**
 * Records as rows of tables that are named after their streams. {@link
 * dev.sluice.collect.sink.sql.SqlSink} writes them into the state database, in the transaction that
 * moves the bookmark, or into another one, with a marker beside them that says which slice was the
 * last.
 */
@NullMarked
package dev.sluice.collect.sink.sql;

import org.jspecify.annotations.NullMarked;
