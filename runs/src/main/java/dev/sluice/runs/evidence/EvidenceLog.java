package dev.sluice.runs.evidence;

import dev.sluice.runs.store.Transaction;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The evidence of a store. It only grows: nothing in it is ever changed. */
public final class EvidenceLog {
  /** In the place of a run: a person acted while none was under way. */
  public static final long NO_RUN = 0;

  private EvidenceLog() {}

  /**
   * Adds a piece of evidence, as of now.
   *
   * @param run in which it happened, or {@link #NO_RUN}
   * @throws IllegalArgumentException if facts are missing that its kind always says, or are there
   *     that it never does
   */
  public static void append(Transaction transaction, long run, Evidence.Kind kind, Facts facts) {
    check(kind, facts);
    int unused =
        transaction.update(
            "insert into evidence (run, at, kind, facts) values (?, ?, ?, ?)",
            run,
            transaction.now(),
            kind.wireName(),
            Evidence.encoded(facts.byName()));
  }

  private static void check(Evidence.Kind kind, Facts facts) {
    Set<Fact> missing = kind.required();
    missing.removeAll(facts.names());
    Set<Fact> strange = EnumSet.noneOf(Fact.class);
    strange.addAll(facts.names());
    strange.removeAll(kind.required());
    strange.removeAll(kind.optional());
    if (!missing.isEmpty() || !strange.isEmpty()) {
      throw new IllegalArgumentException(
          "%s lacks %s and cannot say %s: it always says %s and may say %s"
              .formatted(kind, missing, strange, kind.required(), kind.optional()));
    }
  }

  /** The latest evidence of a run, so much at most, the oldest of it first. */
  public static List<Evidence> latest(Transaction transaction, long run, int limit) {
    return rows(transaction, "where run = ? order by id desc limit ?", run, limit).reversed();
  }

  /**
   * The latest evidence of all runs through a lane and of what people did to it, so much at most,
   * the oldest of it first.
   *
   * @param number of the lane: {@link Fact#LANE}
   */
  public static List<Evidence> latest(
      Transaction transaction, String lane, long number, int limit) {
    String reopened = Evidence.encoded(Facts.NONE.with(Fact.LANE, number).byName());
    return rows(
            transaction,
            """
            where run in (select id from run where lane = ?)
              or kind = ? and (facts = ? or facts like ?)
            order by id desc limit ?
            """,
            lane,
            Evidence.Kind.LANE_REOPENED.wireName(),
            reopened,
            reopened + " %",
            limit)
        .reversed();
  }

  private static List<Evidence> rows(Transaction transaction, String which, Object... arguments) {
    return transaction.rows(
        "select id, run, at, kind, facts from evidence " + which,
        row ->
            new Evidence(
                row.number(1),
                row.number(2),
                row.time(3),
                Evidence.Kind.named(row.text(4)),
                Evidence.decoded(row.text(5))),
        arguments);
  }
}
