package dev.sluice.runs.pressure;

import dev.sluice.control.circuit.CircuitState;
import dev.sluice.control.circuit.CircuitTransition;
import dev.sluice.control.learning.Profile;
import dev.sluice.control.signal.Signal;
import dev.sluice.control.signal.WireName;
import dev.sluice.gate.HoldCause;
import dev.sluice.runs.run.Reason;
import dev.sluice.runs.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How what is known of a lane becomes a row, and a row a record. */
final class LaneRow {
  static final String SELECT =
      "select name, hold_until, cooldown_until, cooldown_reason, last_pressure, consecutive,"
          + " stopped, circuit, rate, rate_proven, profile, updated, circuit_moved, circuit_fact,"
          + " hold_cause from lane ";

  /** How far a profile is trusted that does not say so. */
  private static final double UNSAID_TRUST = 0.5;

  private LaneRow() {}

  /** Writes some columns of a lane, and makes its row if there is none. */
  static String upsert(String... columns) {
    String places = "?, ".repeat(columns.length + 1);
    return "insert into lane (name, "
        + String.join(", ", columns)
        + ", updated) values ("
        + places
        + "?) on conflict (name) do update set "
        + Stream.concat(Stream.of(columns), Stream.of("updated"))
            .map(column -> column + " = excluded." + column)
            .collect(Collectors.joining(", "));
  }

  static LaneRecord read(Transaction.Row row) {
    return new LaneRecord(
        row.text(1),
        row.time(2),
        optional(row, 15).flatMap(name -> known(HoldCause.values(), name)),
        new Cooldown(
            optional(row, 4).map(LaneRow::pressure), row.time(5), row.time(3), (int) row.number(6)),
        optional(row, 7).map(name -> named(Signal.Stopped.Reason.values(), name)),
        optional(row, 8).flatMap(state -> circuit(row, state)),
        optional(row, 9).map(rate -> rate(rate, row.time(10))),
        optional(row, 11).map(LaneRow::decoded),
        row.time(12));
  }

  /** Empty as well where only the state was written down, by an earlier version. */
  private static Optional<CircuitMove> circuit(Transaction.Row row, String state) {
    return optional(row, 14)
        .map(
            fact ->
                new CircuitMove(
                    decoded(named(CircuitState.values(), state), fact.split(" ", -1)),
                    row.time(13)));
  }

  private static Optional<String> optional(Transaction.Row row, int column) {
    return Optional.ofNullable(row.textOrNull(column));
  }

  private static Reason.Pressure pressure(String wireName) {
    if (Reason.named(wireName) instanceof Reason.Pressure pressure) {
      return pressure;
    }
    throw new IllegalArgumentException(
        "the store holds a cooldown for '" + wireName + "', which is no pressure");
  }

  private static <T extends WireName> Optional<T> known(T[] values, String wireName) {
    return Stream.of(values).filter(value -> value.wireName().equals(wireName)).findFirst();
  }

  private static <T extends WireName> T named(T[] values, String wireName) {
    return known(values, wireName)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the store says '" + wireName + "' of a lane, which means nothing here"));
  }

  /** All but the state and the retry budget, with blanks between. */
  static String encoded(CircuitTransition fact) {
    return "%s %s %s %d %d"
        .formatted(
            fact.previous().wireName(),
            fact.trigger().wireName(),
            fact.reason().wireName(),
            fact.elapsed().toMillis(),
            fact.requests());
  }

  private static CircuitTransition decoded(CircuitState state, String[] fact) {
    return new CircuitTransition(
        named(CircuitState.values(), fact[0]),
        state,
        named(CircuitTransition.Trigger.values(), fact[1]),
        named(CircuitTransition.Reason.values(), fact[2]),
        Duration.ofMillis(Long.parseLong(fact[3])),
        Long.parseLong(fact[4]),
        OptionalDouble.empty());
  }

  /** The rate, what earlier versions kept as the length of a closure, the cap and the trust. */
  static String encoded(Profile profile) {
    return profile.rate() + " PT0S " + profile.cap() + " " + profile.sure();
  }

  /** Null if it is no rate: a newer version wrote it, or nobody did. */
  private static @Nullable ProvenRate rate(String text, Instant at) {
    try {
      return new ProvenRate(Double.parseDouble(text), at);
    } catch (IllegalArgumentException e) { // numbers that are none, too
      return null;
    }
  }

  /** Null if it cannot be read: a newer version wrote it, or nobody did. */
  private static @Nullable Profile decoded(String text) {
    String[] parts = text.split(" ", -1);
    try {
      double rate = Double.parseDouble(parts[0]);
      return parts.length < 4
          ? new Profile(rate, 0, UNSAID_TRUST)
          : new Profile(rate, Integer.parseInt(parts[2]), Double.parseDouble(parts[3]));
    } catch (IllegalArgumentException e) { // numbers that are none, too
      return null;
    }
  }
}
