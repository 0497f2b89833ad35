package dev.sluice.arena.report;

import dev.sluice.arena.CollectorTrial;
import dev.sluice.arena.CollectorTrial.Collected;
import java.util.ArrayList;
import java.util.List;

/** The collector's table as Markdown, to be committed and compared. */
public final class CollectorReport {
  /** How many providers drawn by chance the committed table shows. */
  public static final int RANDOM = 15;

  private static final double GOAL = 0.80;

  private CollectorReport() {}

  /** The table, with what its figures mean; lines end with a line feed everywhere. */
  public static String of(List<Collected> trials) {
    List<List<String>> rows = new ArrayList<>();
    double ratio = 0;
    int random = 0;
    int missing = 0;
    int suspended = 0;
    for (Collected trial : trials) {
      rows.add(row(trial));
      suspended += trial.suspended() ? 1 : 0;
      missing += trial.missing();
      random += trial.venue().isRandom() ? 1 : 0;
      ratio += trial.venue().isRandom() ? trial.ratio() : 0;
    }
    Table table =
        new Table(
            1,
            List.of(
                "provider",
                "oracle",
                "collector",
                "ratio",
                "requests",
                "refused",
                "missing",
                "always fail",
                "runs"),
            rows);
    Table providers = Tables.venues(trials.stream().map(Collected::venue).toList());
    return Figures.format(
        """
        # The collector, end to end

        The collector lists %,d items of an ordinary provider (World 3 of the arena) and fetches the\
         details of each, in simulated time. Nothing is configured: the limit has to be found out. A\
         run that ends early is followed by the next after five minutes. *collector* is the time\
         until the last detail that can be had is there, a day if some never are; *oracle* is what a\
         client that sees the limit needs for as many requests; *missing* are details that could be\
         had and are not there; *always fail* are those that nobody can have.

        Played by `./sluice arena --collector`.

        Mean ratio of the %d drawn by chance: %.3f (goal %.2f). Missing: %d. Suspended: %d.

        %s
        %s""",
        CollectorTrial.ITEMS,
        random,
        random == 0 ? 0 : ratio / random,
        GOAL,
        missing,
        suspended,
        table.markdown(),
        providers.markdown());
  }

  private static List<String> row(Collected trial) {
    return List.of(
        trial.venue().name(),
        Figures.format("%.1f s", trial.bestSeconds()),
        Figures.format("%.1f s", trial.seconds()),
        Figures.format("%.3f", trial.ratio()),
        Figures.format("%d", trial.requests()),
        Figures.format("%d", trial.refused()),
        Figures.format("%d", trial.missing()),
        Figures.format("%d", trial.broken()),
        Figures.format("%d", trial.runs()));
  }
}
