/**
 * Many records, written through all identities at once: a {@link
 * dev.sluice.dataverse.bulk.BulkOperationExecutor} carries out a {@link
 * dev.sluice.dataverse.bulk.BulkJob} and gives every record exactly one {@link
 * dev.sluice.dataverse.bulk.RecordOutcome}.
 *
 * <p>Inside, a {@link dev.sluice.dataverse.bulk.BulkRun} composes messages from what {@link
 * dev.sluice.dataverse.bulk.Intake} hands out, sends each in a task of its own, and does what
 * {@link dev.sluice.dataverse.bulk.Verdict} says after each answer.
 */
@NullMarked
package dev.sluice.dataverse.bulk;

import org.jspecify.annotations.NullMarked;
