package dev.sluice.cli;

import dev.sluice.control.quota.QuotaOptions;
import dev.sluice.load.run.LoadResult;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What limited a load, and what would change that.
 *
 * <p>How long it would have taken with one more application user: each user has limits of its own,
 * so the {@linkplain CapacityPlan plan} for one more, compared with the plan for those that there
 * were, says by how much the time shrinks in which such a limit was met. The other time stays as it
 * is.
 *
 * @param history what it did
 * @param users that it went through, 1 or more
 * @param limits of each user
 */
record LoadAdvice(LoadHistory history, int users, QuotaOptions limits) {
  private static final int MOST_SERVERS = 64;
  private static final int MOST_ROWS_AT_ONCE = 1_000;
  private static final double LONGEST = 300;

  /** A smaller share is not worth a word. */
  private static final double NOTABLE = 0.05;

  /** The limits that were met, with their shares of the time, the largest first. */
  List<Map.Entry<LoadLimit, Double>> shares() {
    double all = history.all().seconds();
    return history.all().limits().entrySet().stream()
        .map(entry -> Map.entry(entry.getKey(), entry.getValue() / all))
        .sorted(Map.Entry.<LoadLimit, Double>comparingByValue(Comparator.reverseOrder()))
        .toList();
  }

  /** One or two sentences; empty if it was too short to tell. */
  String words(LoadResult result) {
    List<Map.Entry<LoadLimit, Double>> shares = shares();
    if (shares.isEmpty() || shares.getFirst().getValue() < NOTABLE) {
      return "";
    }
    LoadLimit first = shares.getFirst().getKey();
    String limited =
        "Limited by %s for %.0f %% of the run"
            .formatted(first.words(), 100 * shares.getFirst().getValue());
    Duration took = span(history.all().seconds());
    String faster =
        withOneMoreUser()
            .filter(less -> less.compareTo(took) < 0)
            .map(
                less ->
                    "; %s application user would have %s in about %s instead of %s"
                        .formatted(
                            users == 1 ? "a second" : users == 2 ? "a third" : "one more",
                            result.complete() && result.deferred() == 0
                                ? "ended it"
                                : "come as far",
                            Times.span(less.toMillis()),
                            Times.span(took.toMillis())))
            .orElse("");
    return limited + faster + "." + more(first);
  }

  private static String more(LoadLimit first) {
    return switch (first) {
      case EXECUTION_TIME ->
          " Rows that cost the service less would help, too: see --bypass-plugins.";
      case INPUT ->
          " More users would not help: the file, or the disk with the state, is the slower side.";
      case SERVICE -> " At a quieter time the same load would be faster.";
      case REQUESTS, CONCURRENCY, UNNAMED, START, END -> "";
    };
  }

  /** How long it would have taken with one user more; empty if that would not have helped. */
  Optional<Duration> withOneMoreUser() {
    LoadHistory.Slot all = history.all();
    double share =
        shares().stream()
            .filter(entry -> entry.getKey().isPerUser())
            .mapToDouble(Map.Entry::getValue)
            .sum();
    if (share < NOTABLE || history.messages() == 0 || all.rows() < 1) {
      return Optional.empty();
    }
    int servers = servers(all);
    double planned =
        plan(all, users + 1, servers).duration().toMillis()
            / (double) Math.max(1, plan(all, users, servers).duration().toMillis());
    // Not more than a fair share: a plan gains a whole window where the last one just fits.
    double shrinks = Math.clamp(planned, users / (users + 1.0), 1);
    return Optional.of(span(all.seconds() * (1 - share + share * shrinks)));
  }

  /** As many as are declared, or as few as explain that it was not slower. */
  private int servers(LoadHistory.Slot all) {
    if (limits.servers().isPresent()) {
      return limits.servers().getAsInt();
    }
    int servers = 1;
    while (servers < MOST_SERVERS
        && plan(all, users, servers).duration().compareTo(span(all.seconds())) > 0) {
      servers++;
    }
    return servers;
  }

  private CapacityPlan plan(LoadHistory.Slot all, int forUsers, int servers) {
    double atOnce =
        history.slots().stream()
            .mapToDouble(slot -> slot.parallelism() / slot.seconds())
            .max()
            .orElse(1);
    return new CapacityPlan(
        Math.max(1, Math.round(all.rows())),
        Math.clamp(Math.round(all.rows() / history.messages()), 1, MOST_ROWS_AT_ONCE),
        Math.clamp(history.secondsPerMessage(), 1e-3, LONGEST),
        forUsers,
        servers,
        (int) Math.max(1, Math.round(atOnce / users)),
        limits);
  }

  private static Duration span(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1_000));
  }
}
