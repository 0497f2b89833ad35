/**
 * What was sent, and what became of it? A {@link dev.sluice.runs.journal.Journal} knows of every
 * row whether it was never begun, is open in a composition that was sent, or is finished; {@link
 * dev.sluice.runs.journal.RowSet row sets} keep that small, a {@link
 * dev.sluice.runs.journal.Sidecar} keeps a file in step with it, and a {@link
 * dev.sluice.runs.journal.Resume} is what the next process finds.
 */
@NullMarked
package dev.sluice.runs.journal;

import org.jspecify.annotations.NullMarked;
