package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.BulkProgress;

/**
 * Where a load stands. Immutable.
 *
 * @param read records that were read, by this run and those that it continues
 * @param done records that are in
 * @param rejected records that were turned away, by us or by the service
 * @param share of the input that was read, 0 to 1; NaN if its size is unknown
 * @param sending what the executor does in this run
 */
public record LoadProgress(
    long read, long done, long rejected, double share, BulkProgress sending) {}
