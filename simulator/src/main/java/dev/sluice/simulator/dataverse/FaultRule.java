package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.webapi.Operation;
import dev.sluice.simulator.dataverse.webapi.Plan;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When something goes wrong: by chance, or by script, the requests that match being counted.
 *
 * @param kind what goes wrong
 * @param rate the share of matching requests that it strikes, 0 to 1
 * @param skip matching requests that are spared first
 * @param count how many it strikes at most
 * @param operation the requests that match; null for all that the kind can strike
 * @param table the table that they are about; null for any
 * @param fromRows the fewest rows that they carry
 * @param duration how long a slow body takes
 */
public record FaultRule(
    FaultKind kind,
    double rate,
    long skip,
    long count,
    @Nullable Operation operation,
    @Nullable String table,
    int fromRows,
    Duration duration) {

  public FaultRule {
    if (!(rate >= 0 && rate <= 1)) {
      throw new IllegalArgumentException(
          "rate is %s, but must be 0 to 1 (the share of requests that %s strikes)"
              .formatted(rate, kind.wireName()));
    }
    notNegative("skip", skip, "matching requests that are spared first");
    notNegative("count", count, "how many requests are struck at most");
    notNegative("fromRows", fromRows, "the fewest rows that a struck request carries");
    if (duration.isNegative()) {
      throw new IllegalArgumentException(
          "duration is " + duration + ", but must not be negative (how long a body takes)");
    }
  }

  private static void notNegative(String name, long value, String meaning) {
    if (value < 0) {
      throw new IllegalArgumentException(
          "%s is %d, but must not be negative (%s)".formatted(name, value, meaning));
    }
  }

  /** Strikes this share of requests, by chance. */
  public static FaultRule rate(FaultKind kind, double rate) {
    return new FaultRule(kind, rate, 0, Long.MAX_VALUE, null, null, 0, Duration.ofSeconds(2));
  }

  /** Strikes the next so many requests, after sparing some. */
  public static FaultRule next(FaultKind kind, long skip, long count) {
    return new FaultRule(kind, 1, skip, count, null, null, 0, Duration.ofSeconds(2));
  }

  /** The same for one operation only. */
  public FaultRule onlyFor(Operation value) {
    return new FaultRule(kind, rate, skip, count, value, table, fromRows, duration);
  }

  /** The same for one table only. */
  public FaultRule onlyOn(String value) {
    return new FaultRule(kind, rate, skip, count, operation, value, fromRows, duration);
  }

  /** The same for requests with at least so many rows. */
  public FaultRule from(int rows) {
    return new FaultRule(kind, rate, skip, count, operation, table, rows, duration);
  }

  /** The same with bodies that take so long. */
  public FaultRule lasting(Duration value) {
    return new FaultRule(kind, rate, skip, count, operation, table, fromRows, value);
  }

  boolean matches(Plan plan) {
    boolean possible =
        switch (kind) {
          case DEADLOCK, SQL_TIMEOUT, BUSY -> plan.operation().writes();
          case TABLE_PREPARATION -> plan.operation().kind() == Operation.Kind.BULK;
          default -> true;
        };
    return possible
        && (operation == null || operation == plan.operation())
        && (table == null || table.equals(plan.table()))
        && plan.rows() >= fromRows;
  }
}
