/**
 * Work that outlives its process. A {@link dev.sluice.runs.store.Store} is the only place where
 * processes meet; a {@link dev.sluice.runs.lease.Lease} says who may write there; {@link
 * dev.sluice.runs.run.Runs} keeps what was attempted and how it ended; a {@link
 * dev.sluice.runs.journal.Journal} knows, row by row, what was sent.
 */
@NullMarked
package dev.sluice.runs;

import org.jspecify.annotations.NullMarked;
