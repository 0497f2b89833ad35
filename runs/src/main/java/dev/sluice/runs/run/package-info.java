/**
 * How did it end? A run stays within its {@link dev.sluice.runs.run.Envelope} and has one {@link
 * dev.sluice.runs.run.Outcome}, most of which have a {@link dev.sluice.runs.run.Reason}; {@link
 * dev.sluice.runs.run.Runs} keeps every {@linkplain dev.sluice.runs.run.RunRecord run} in the
 * store, the ones that were killed included.
 */
@NullMarked
package dev.sluice.runs.run;

import org.jspecify.annotations.NullMarked;
