package dev.sluice.collect.yaml.pacing;

import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Dialect;
import dev.sluice.gate.http.Statement;
import dev.sluice.gate.http.WaitForm;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;

/**
 * Where answers tell about one limit. Immutable.
 *
 * @param usedOf a header such as {@code 32/40}
 * @param window how long the limit's period is, where answers do not tell
 * @param onTheClock whether the periods begin where those of UTC's clock do
 * @param leak units that come back per second, which makes it a bucket
 */
record QuotaRule(
    Optional<Told> limit,
    Optional<Told> remaining,
    Optional<Told> used,
    Optional<Told> usedOf,
    Optional<Told> reset,
    Optional<Told> pool,
    Optional<Duration> window,
    boolean onTheClock,
    Optional<Double> leak,
    Unit unit)
    implements Dialect {

  @Override
  public List<Statement> read(Answer answer) {
    List<String> told = find(limit, answer);
    List<String> left = find(remaining, answer);
    List<String> spent = find(used, answer);
    List<String> until = find(reset, answer);
    if (usedOf.isPresent() && usedOf.get().header() != null) {
      spent = answer.part(usedOf.get().header(), '/', 0);
      told = answer.part(usedOf.get().header(), '/', 1);
    }
    if (told.isEmpty() && left.isEmpty() && spent.isEmpty() && until.isEmpty()) {
      return List.of();
    }
    Statement statement =
        Statement.from(source()).limit(told).remaining(left).used(spent).unit(unit);
    reset.ifPresent(place -> statement.reset(find(reset, answer), place.form()));
    window.ifPresent(statement::window);
    if (onTheClock && window.isPresent()) {
      statement.reset(List.of(nextPeriod(answer, window.get())), WaitForm.EPOCH_MILLIS);
    }
    if (leak.isPresent()) {
      Statement unused =
          statement.window(Duration.ofNanos(Math.round(1e9 / leak.get()))).refill(List.of("1"));
    }
    List<String> key = find(pool, answer);
    return List.of(key.isEmpty() ? statement : statement.key(key.getFirst().strip()));
  }

  /** When the next period begins, on the provider's own clock if it tells that. */
  private static String nextPeriod(Answer answer, Duration window) {
    long now = clock(answer).toEpochMilli();
    return Long.toString(now - Math.floorMod(now, window.toMillis()) + window.toMillis());
  }

  /** The provider's time, or ours if it does not tell. */
  static Instant clock(Answer answer) {
    for (String date : answer.header("date")) {
      try {
        return ZonedDateTime.parse(date.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      } catch (DateTimeException e) {
        return answer.receivedOn();
      }
    }
    return answer.receivedOn();
  }

  private static List<String> find(Optional<Told> place, Answer answer) {
    return place.map(told -> told.find(answer)).orElse(List.of());
  }

  private String source() {
    return limit
        .or(() -> usedOf)
        .or(() -> remaining)
        .or(() -> used)
        .or(() -> reset)
        .map(Told::source)
        .orElse("");
  }
}
