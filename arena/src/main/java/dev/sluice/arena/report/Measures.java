package dev.sluice.arena.report;

import dev.sluice.arena.League;
import dev.sluice.arena.Results;
import dev.sluice.arena.Selection;
import dev.sluice.arena.Size;
import dev.sluice.arena.Venue;
import java.util.List;
import java.util.Map;

/** What the figures mean, in the words that all reports use. */
final class Measures {
  static final String INTRODUCTION =
      "Policies and peers play against simulated services in simulated time. Every bout is one"
          + " client with one job against one service; nothing in it depends on the machine, so the"
          + " same command gives the same report to the last byte.";

  /** Terms and what they mean. */
  static final List<Map.Entry<String, String>> DEFINITIONS =
      List.of(
          Map.entry(
              "ratio",
              "how close a client comes to the best possible: the oracle's time divided by the"
                  + " client's for a job with an end, what the client got done divided by what the"
                  + " oracle did for the hour. 1 is as good as it gets; 0 means that the job was"
                  + " not done within three days, or that the client was thrown out first. Tables show"
                  + " the mean over scenarios and seeds."),
          Map.entry(
              "throttled",
              "the share of all requests sent that a limit of the service refused; mean over"
                  + " scenarios and seeds."),
          Map.entry(
              "job",
              "0.3 w to 10 w are so many windows' worth of what the service grants; 200 to 20,000"
                  + " are requests; 1 h is as many requests as an hour allows. Short jobs are cliffs: they just fit into a"
                  + " window, or wait for the next."),
          Map.entry(
              "longest Retry-After", "the longest wait that the service asked for in any bout."),
          Map.entry(
              "pressed",
              "requests sent while their sender was told to wait and had time to know; mean per"
                  + " bout."),
          Map.entry("suspended", "in how many bouts the service threw the client out altogether."),
          Map.entry(
              "silent",
              "in how many bouts a client with work sent nothing for more than 65 s and more than"
                  + " 11 % of the time since its last success, without having been told to wait."),
          Map.entry(
              "why",
              "what happened in the bouts of a scenario, and for which share of their time there was"
                  + " work that was not sent: by the client's own pace, rest or open circuit; because"
                  + " it had as many out as it allows itself; because an answer had said to wait."),
          Map.entry(
              "origin",
              "ours: a policy of this project, marked * in tables. library: the library itself"
                  + " decides, on simulated time. transcription: written here after the library,"
                  + " and compared with it by tests where it can be run. rule: simple enough to"
                  + " need no library."));

  private Measures() {}

  /** Which scenarios, sizes and seeds. */
  static String played(Results results, League<?> league) {
    Selection selection = results.selection();
    List<Venue> venues = results.venues(league);
    long random = venues.stream().filter(Venue::isRandom).count();
    long named = venues.size() - random;
    String seeds =
        selection.seeds() == 1
            ? "seed " + selection.seed()
            : Figures.format(
                "seeds %d to %d", selection.seed(), selection.seed() + selection.seeds() - 1);
    String chance =
        selection.random() == 0
            ? ""
            : Figures.format(
                " (numbers %d to %d)",
                selection.randomFrom(), selection.randomFrom() + selection.random() - 1);
    return Figures.format(
        "%d scenarios with names and %d drawn by chance%s; jobs of %s; %s.%s",
        named,
        random,
        chance,
        String.join(", ", results.sizes(league).stream().map(Size::label).toList()),
        seeds,
        random > 0 && selection.randomFrom() >= Selection.UNSEEN
            ? " No policy's constants were chosen by these scenarios."
            : "");
  }
}
