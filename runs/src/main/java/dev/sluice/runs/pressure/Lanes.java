package dev.sluice.runs.pressure;

import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.quota.QuotaProfile;
import dev.sluice.control.signal.Signal;
import dev.sluice.gate.HoldCause;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a store remembers of its lanes. Each fact is written by itself, so that two processes on one
 * lane do not undo each other's; a lane that was never written of is made by the first fact.
 */
public final class Lanes {
  private static final String HELD =
      "select name, hold_until, cooldown_until from lane"
          + " where name = ? and (hold_until > ? or cooldown_until > ?)";

  private static final String LONGER =
      " where lane.hold_until is null or lane.hold_until < excluded.hold_until";

  private Lanes() {}

  /** What is remembered of a lane; {@linkplain LaneRecord#unknown nothing}, if it is new. */
  public static LaneRecord of(Transaction transaction, String name) {
    return transaction
        .row(LaneRow.SELECT + "where name = ?", LaneRow::read, name)
        .orElseGet(() -> LaneRecord.unknown(name, transaction.now()));
  }

  /** Until when nothing may be sent on a lane, for the provider's word or for the cooldown. */
  record Held(String name, Instant until) {}

  /** Which of two lanes are still held then. Asked before every request. */
  static List<Held> held(Transaction transaction, String one, String other, Instant then) {
    return transaction.rows(
        HELD + " union all " + HELD,
        row -> new Held(row.text(1), row.time(2).isAfter(row.time(3)) ? row.time(2) : row.time(3)),
        one,
        then,
        then,
        other,
        then,
        then);
  }

  /** All lanes, by name. */
  public static List<LaneRecord> all(Transaction transaction) {
    return transaction.rows(LaneRow.SELECT + "where part_of is null order by name", LaneRow::read);
  }

  /** What is held of a lane while the lane is not: its parts that are held now, by name. */
  public static List<LaneRecord> heldParts(Transaction transaction, String lane) {
    return transaction.rows(
        LaneRow.SELECT + "where part_of = ? and hold_until > ? order by name",
        LaneRow::read,
        lane,
        transaction.now());
  }

  /** Forgets the parts of a lane that are no longer held. */
  public static void forgetParts(Transaction transaction, String lane) {
    int unused =
        transaction.update(
            "delete from lane where part_of = ? and hold_until <= ?", lane, transaction.now());
  }

  /** The provider said not to come before then. An earlier word of its that lasts longer stays. */
  public static void hold(Transaction transaction, String name, Instant until, HoldCause cause) {
    int unused =
        transaction.update(
            LaneRow.upsert("hold_until", "hold_cause") + LONGER,
            name,
            until,
            cause.wireName(),
            transaction.now());
  }

  /** The same of a part of a lane, such as one route of it, with a name of its own. */
  public static void holdPart(
      Transaction transaction, String lane, String name, Instant until, HoldCause cause) {
    int unused =
        transaction.update(
            LaneRow.upsert("part_of", "hold_until", "hold_cause") + LONGER,
            name,
            lane,
            until,
            cause.wireName(),
            transaction.now());
  }

  /** Nobody may come before then on any lane that is known. What lasts longer stays. */
  public static void holdAll(Transaction transaction, Instant until) {
    int unused =
        transaction.update(
            "update lane set hold_until = ?, hold_cause = ?, updated = ?"
                + " where hold_until is null or hold_until < ?",
            until,
            HoldCause.ADDRESS.wireName(),
            transaction.now(),
            until);
  }

  /**
   * A run defers because of an answer that it received itself; see {@link Cooldown#armed}.
   *
   * @param answered when the answer came
   * @param notBefore when the provider said that it may be asked again, if it did
   * @return the cooldown that stands now
   */
  public static Cooldown press(
      Transaction transaction,
      String name,
      Reason.Pressure pressure,
      Instant answered,
      Optional<Instant> notBefore) {
    Cooldown before = of(transaction, name).cooldown();
    return changed(transaction, name, before, before.armed(pressure, answered, notBefore));
  }

  /**
   * A success came; see {@link Cooldown#succeeded}. Costs one look where nothing has to be ended.
   *
   * @return the cooldown that it ended; empty if none
   */
  public static Optional<Cooldown> succeeded(
      Transaction transaction, String name, Instant answered) {
    Cooldown before = of(transaction, name).cooldown();
    Cooldown after = changed(transaction, name, before, before.succeeded(answered));
    return after.equals(before) ? Optional.empty() : Optional.of(before);
  }

  /**
   * A person goes on in spite of a cooldown; see {@link Cooldown#overridden}.
   *
   * @return whether one stood
   */
  public static boolean override(Transaction transaction, String name) {
    Cooldown before = of(transaction, name).cooldown();
    return !changed(transaction, name, before, before.overridden(transaction.now())).equals(before);
  }

  private static Cooldown changed(
      Transaction transaction, String name, Cooldown before, Cooldown after) {
    if (!after.equals(before)) {
      write(transaction, name, after);
    }
    return after;
  }

  private static void write(Transaction transaction, String name, Cooldown cooldown) {
    int unused =
        transaction.update(
            LaneRow.upsert("cooldown_until", "cooldown_reason", "last_pressure", "consecutive"),
            name,
            cooldown.until(),
            cooldown.reason().map(Reason.Pressure::wireName).orElse(null),
            cooldown.lastPressure(),
            cooldown.consecutive(),
            transaction.now());
  }

  /** Nothing may be sent until a person acts. */
  public static void stop(Transaction transaction, String name, Signal.Stopped.Reason reason) {
    write(transaction, name, "stopped", reason.wireName());
  }

  /**
   * A person has acted: the stop, the circuit, the cooldown and the pace that was learned are
   * forgotten. A provider's own "not before" stays.
   */
  public static void reopen(Transaction transaction, String name) {
    for (String column : List.of("stopped", "circuit", "rate", "rate_proven", "profile")) {
      write(transaction, name, column, null);
    }
    write(transaction, name, Cooldown.NONE);
  }

  /** The circuit has moved. */
  public static void circuit(Transaction transaction, String name, CircuitTransition fact) {
    int unused =
        transaction.update(
            LaneRow.upsert("circuit", "circuit_moved", "circuit_fact"),
            name,
            fact.state().wireName(),
            transaction.now(),
            LaneRow.encoded(fact),
            transaction.now());
  }

  /** A rate was granted. */
  public static void proven(Transaction transaction, String name, ProvenRate proven) {
    int unused =
        transaction.update(
            LaneRow.upsert("rate", "rate_proven"),
            name,
            Double.toString(proven.rate()),
            proven.at(),
            transaction.now());
  }

  /** Something was learned. */
  public static void learned(Transaction transaction, String name, Profile profile) {
    write(transaction, name, "profile", LaneRow.encoded(profile));
  }

  /** Something was learned of a user of an environment with documented limits. */
  static void learned(
      Transaction transaction, String environment, String name, QuotaProfile profile) {
    int unused =
        transaction.update(
            LaneRow.upsert("part_of", "quota"),
            name,
            environment,
            QuotaText.encoded(profile, transaction.now()),
            transaction.now());
  }

  /** What was learned of such a user; nothing, if it is new or cannot be read. */
  static QuotaProfile quota(Transaction transaction, String name) {
    return transaction
        .row(
            "select quota from lane where name = ? and quota is not null", row -> row.text(1), name)
        .map(text -> QuotaText.decoded(text, transaction.now()))
        .orElse(QuotaProfile.NONE);
  }

  /** Somebody begins to use the lane. */
  public static void begun(Transaction transaction, String name) {
    int unused =
        transaction.update(
            "insert into lane (name, updated) values (?, ?) on conflict (name) do nothing",
            name,
            transaction.now());
  }

  private static void write(
      Transaction transaction, String name, String column, @Nullable Object value) {
    int unused = transaction.update(LaneRow.upsert(column), name, value, transaction.now());
  }
}
