package dev.sluice.runs.pressure;

import static java.util.Objects.requireNonNull;

import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.Optional;

/**
 * What a run that is at work says of its lane, for whoever looks from another process. Immutable.
 *
 * @param reason why it is no faster, in a sentence; empty if nothing slows it down
 * @param measured requests per second that were sent lately
 * @param allowed requests per second that may be sent; infinite if that is not limited
 * @param at when that was said
 */
public record LaneNow(String reason, double measured, double allowed, Instant at) {
  public LaneNow {
    requireNonNull(reason, "reason");
    requireNonNull(at, "at");
  }

  /** Says it; takes the place of what was said before. */
  public static void say(
      Transaction transaction, String lane, String reason, double measured, double allowed) {
    int unused =
        transaction.update(
            """
            insert into lane_now (lane, reason, measured, allowed, at) values (?, ?, ?, ?, ?)
            on conflict (lane) do update set reason = excluded.reason,
              measured = excluded.measured, allowed = excluded.allowed, at = excluded.at
            """,
            lane,
            reason,
            Double.toString(measured),
            Double.toString(allowed),
            transaction.now());
  }

  /** What was said last of a lane; empty if nothing ever was. */
  public static Optional<LaneNow> of(Transaction transaction, String lane) {
    return transaction.row(
        "select reason, measured, allowed, at from lane_now where lane = ?",
        row ->
            new LaneNow(
                row.text(1),
                Double.parseDouble(row.text(2)),
                Double.parseDouble(row.text(3)),
                row.time(4)),
        lane);
  }
}
