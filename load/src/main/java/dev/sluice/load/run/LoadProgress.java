package dev.sluice.load.run;

import dev.sluice.dataverse.bulk.BulkProgress;
import dev.sluice.load.reject.RejectReasons;
import java.util.OptionalLong;

/**
 * Where a load stands. Immutable.
 *
 * @param read records that were read, by this run and those that it continues
 * @param done records that are in, with their look-ups
 * @param rejected records that were turned away, by us or by the service
 * @param reasons what they were turned away for; while a load runs, the newest count as others
 * @param lookups how far look-ups within the input are
 * @param left records without an outcome, those included that are not read yet, and look-ups within
 *     the input that are still to be set; estimated by the part that was read, empty if nobody
 *     knows
 * @param sending what the executor does in this run, in both passes
 */
public record LoadProgress(
    long read,
    long done,
    long rejected,
    RejectReasons reasons,
    Lookups lookups,
    OptionalLong left,
    BulkProgress sending) {

  /**
   * How far look-ups within the input are, which are set when all rows are in.
   *
   * @param waiting records that are in without them, and so are not done
   * @param set records that got them from this run
   */
  public record Lookups(long waiting, long set) {}
}
