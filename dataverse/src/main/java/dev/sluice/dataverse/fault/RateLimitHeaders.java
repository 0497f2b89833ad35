package dev.sluice.dataverse.fault;

import dev.sluice.control.signal.QuotaHint.Reach;
import dev.sluice.control.signal.QuotaHint.Unit;
import dev.sluice.gate.http.Answer;
import dev.sluice.gate.http.Dialect;
import dev.sluice.gate.http.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is left of a user's budget on the server that answered: requests, and seconds of execution
 * time, which are written {@code 1,200.00}.
 */
final class RateLimitHeaders implements Dialect {
  private static final String REQUESTS = "x-ms-ratelimit-burst-remaining-xrm-requests";
  private static final String SECONDS = "x-ms-ratelimit-time-remaining-xrm-requests";
  private static final Duration WINDOW = Duration.ofMinutes(5);

  @Override
  public List<Statement> read(Answer answer) {
    List<String> requests = answer.header(REQUESTS);
    List<String> seconds = answer.header(SECONDS);
    List<Statement> statements = new ArrayList<>(2);
    if (!requests.isEmpty()) {
      statements.add(statement(REQUESTS, "requests", Unit.REQUESTS, requests));
    }
    if (!seconds.isEmpty()) {
      statements.add(statement(SECONDS, "execution-time", Unit.WORK_TIME, seconds));
    }
    return statements;
  }

  private static Statement statement(String header, String key, Unit unit, List<String> lines) {
    return Statement.from(header)
        .key(key)
        .reach(Reach.CREDENTIAL)
        .unit(unit)
        .window(WINDOW)
        .remaining(lines.stream().map(line -> line.replace(",", "")).toList());
  }
}
