package dev.sluice.runs.pressure;

import dev.sluice.runs.lease.Holder;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Which processes send through a lane: whoever does says so every {@link #SAID_EVERY}, and is
 * forgotten {@link #TERM} after it said so last, or as soon as somebody can tell that it has ended.
 */
final class LaneUsers {
  static final Duration TERM = Duration.ofSeconds(60);
  static final Duration SAID_EVERY = Duration.ofSeconds(20);

  private LaneUsers() {}

  /**
   * A process sends through a lane.
   *
   * @param user tells it from others, also from those of the same process
   * @return how many do so, itself included
   */
  static int say(Transaction transaction, String lane, Holder process, String user) {
    Instant now = transaction.now();
    int unused =
        transaction.update(
            """
            insert into lane_user (lane, process, user_name, seen) values (?, ?, ?, ?)
            on conflict (lane, process, user_name) do update set seen = excluded.seen
            """,
            lane,
            process.encoded(),
            user,
            now);
    // Later than now: the clock has been set back since.
    int unusedToo =
        transaction.update(
            "delete from lane_user where lane = ? and (seen <= ? or seen > ?)",
            lane,
            now.minus(TERM),
            now.plus(TERM));
    List<Holder> processes =
        transaction.rows(
            "select process from lane_user where lane = ?",
            row -> Holder.decoded(row.text(1)),
            lane);
    return (int) processes.stream().filter(each -> !each.isProvablyDead()).count();
  }

  /** A process sends nothing through a lane any more. */
  static void leave(Transaction transaction, String lane, Holder process, String user) {
    int unused =
        transaction.update(
            "delete from lane_user where lane = ? and process = ? and user_name = ?",
            lane,
            process.encoded(),
            user);
  }
}
