package dev.sluice.arena.report;

import static java.util.stream.Collectors.joining;

import dev.sluice.arena.Entrant;
import dev.sluice.arena.Goal;
import dev.sluice.arena.League;
import dev.sluice.arena.Result;
import dev.sluice.arena.Results;
import dev.sluice.arena.bout.Score;
import java.util.Optional;

/** The report for programs: one JSON object with every bout. */
public final class JsonReport {
  private JsonReport() {}

  /** The object, on one line. Times are seconds, shares 0 to 1. */
  public static String of(Results results) {
    return "{\"command\":%s,\"worlds\":[%s]}"
        .formatted(
            quoted(results.selection().command()),
            results.leagues().stream()
                .map(league -> league(results, league))
                .collect(joining(",")));
  }

  private static String league(Results results, League<?> league) {
    return "{\"name\":%s,\"policies\":[%s],\"goals\":[%s],\"bouts\":[%s]}"
        .formatted(
            quoted(league.name()),
            results.entrants(league).stream().map(JsonReport::entrant).collect(joining(",")),
            league.goals().stream().map(goal -> goal(results, league, goal)).collect(joining(",")),
            results.of(league).stream().map(JsonReport::bout).collect(joining(",")));
  }

  private static String entrant(Entrant<?> entrant) {
    return "{\"name\":%s,\"origin\":%s,\"description\":%s}"
        .formatted(quoted(entrant.name()), quoted(entrant.origin()), quoted(entrant.description()));
  }

  private static String goal(Results results, League<?> league, Goal goal) {
    Optional<Goal.Reached> reached = goal.reached(results.of(league));
    return "{\"name\":%s,\"wanted\":%s,\"reached\":%s,\"met\":%s}"
        .formatted(
            quoted(goal.name()),
            quoted(goal.wanted()),
            reached.map(found -> quoted(found.figures())).orElse("null"),
            reached.map(found -> String.valueOf(found.isMet())).orElse("null"));
  }

  private static String bout(Result result) {
    Score score = result.score();
    return Figures.format(
        "{\"scenario\":%s,\"random\":%s,\"job\":%s,\"seed\":%d,\"policy\":%s,\"ratio\":%s,"
            + "\"throttled\":%.6f,\"done\":%d,\"refused\":%d,\"failed\":%d,\"gaps\":%d,\"givenUp\":%d,\"seconds\":%.3f,\"finished\":%s,"
            + "\"bestDone\":%d,\"bestSeconds\":%.3f,"
            + "\"longestRetryAfter\":%.3f,\"pressed\":%d,\"silence\":%.3f,\"suspended\":%s}",
        quoted(result.venue().name()),
        result.venue().isRandom(),
        quoted(result.size().text()),
        result.seed(),
        quoted(result.entrant()),
        Double.isNaN(result.ratio()) ? "null" : Figures.format("%.6f", result.ratio()),
        score.throttled(),
        score.done(),
        score.refused(),
        score.failed(),
        score.gaps(),
        score.givenUp(),
        score.nanos() / 1e9,
        score.finished(),
        result.best().done(),
        result.best().nanos() / 1e9,
        score.longestWait() / 1e9,
        score.pressed(),
        score.silence() / 1e9,
        score.suspended());
  }

  /** Names and sentences of this project: nothing below the space but what is escaped here. */
  private static String quoted(String words) {
    StringBuilder text = new StringBuilder("\"");
    for (int i = 0; i < words.length(); i++) {
      char letter = words.charAt(i);
      if (letter == '"' || letter == '\\') {
        text.append('\\').append(letter);
      } else if (letter < ' ') {
        text.append(Figures.format("\\u%04x", (int) letter));
      } else {
        text.append(letter);
      }
    }
    return text.append('"').toString();
  }
}
