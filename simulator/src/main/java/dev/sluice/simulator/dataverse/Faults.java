package dev.sluice.simulator.dataverse;

import dev.sluice.simulator.dataverse.error.WebApiException;
import dev.sluice.simulator.dataverse.webapi.Plan;
import dev.sluice.simulator.http.Headers;
import dev.sluice.simulator.http.Response;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides which request is struck by what, and counts. Under the environment's lock. */
final class Faults {
  private final RandomGenerator random;
  private final List<Active> rules = new ArrayList<>();
  private final Map<FaultKind, Long> struck = new EnumMap<>(FaultKind.class);

  private static final class Active {
    private final FaultRule rule;
    private long matched;
    private long struck;

    Active(FaultRule rule) {
      this.rule = rule;
    }
  }

  Faults(List<FaultRule> rules, RandomGenerator random) {
    this.random = random;
    replace(rules);
  }

  /** Other rules from now on; their counting starts anew. */
  void replace(List<FaultRule> changed) {
    rules.clear();
    changed.forEach(rule -> rules.add(new Active(rule)));
  }

  List<FaultRule> rules() {
    return rules.stream().map(active -> active.rule).toList();
  }

  /** How many requests were struck so far, by what. */
  Map<FaultKind, Long> struck() {
    return new EnumMap<>(struck);
  }

  /** The rule that strikes a request; null if none does. */
  @Nullable FaultRule choose(Plan plan, boolean atTheDoor) {
    for (Active active : rules) {
      FaultRule rule = active.rule;
      if ((rule.kind().when() == FaultKind.When.AT_THE_DOOR) != atTheDoor || !rule.matches(plan)) {
        continue;
      }
      if (active.matched++ >= rule.skip()
          && active.struck < rule.count()
          && (rule.rate() >= 1 || random.nextDouble() < rule.rate())) {
        active.struck++;
        note(rule.kind());
        return rule;
      }
    }
    return null;
  }

  void note(FaultKind kind) {
    struck.merge(kind, 1L, Long::sum);
  }

  /** What the database says. */
  static WebApiException error(FaultKind kind, Plan plan) {
    return switch (kind) {
      case DEADLOCK -> sql("0x80044150", "Generic SQL error", -2_147_204_784, 1205, "");
      case SQL_TIMEOUT -> sql("0x80044151", "SQL timeout expired", -2_147_204_783, -2, "");
      case TABLE_PREPARATION ->
          sql(
              "0x80044150",
              "Generic SQL error",
              -2_147_204_784,
              3732,
              (" Cannot drop type '%s_tvp' because it is being referenced by object 'p_%s_%s'."
                      + " There may be other objects that reference this type.")
                  .formatted(plan.table(), plan.table(), plan.operation().wireName()));
      default ->
          new WebApiException(
              503,
              "0x8004A001",
              "The server is busy and the request was not completed. Try again later.");
    };
  }

  private static WebApiException sql(
      String code, String text, int decimal, int number, String more) {
    return new WebApiException(
        500,
        code,
        " Sql error: %s. CRM ErrorCode: %d Sql ErrorCode: -2146232060 Sql Number: %d%s"
            .formatted(text, decimal, number, more));
  }

  /** What a gateway says in the service's place: no JSON, no headers of the service. */
  static Response gateway(FaultKind kind) {
    int status =
        switch (kind) {
          case BAD_GATEWAY -> 502;
          case UNAVAILABLE -> 503;
          default -> 504;
        };
    String title =
        switch (status) {
          case 502 -> "502 Bad Gateway";
          case 503 -> "503 Service Unavailable";
          default -> "504 Gateway Time-out";
        };
    return Response.of(
        status,
        Headers.of("Content-Type", "text/html"),
        "<html><head><title>%1$s</title></head><body><h1>%1$s</h1></body></html>".formatted(title));
  }
}
