package dev.sluice.arena.report;

import dev.sluice.arena.Result;
import dev.sluice.arena.bout.Score;
import java.util.ArrayList;
import java.util.List;

/** What kept a client from doing better, in a few words. */
final class Reasons {
  /** A job that the oracle does so fast leaves no time to learn anything. */
  private static final double AT_ONCE = 5e9;

  private static final double WORTH_SAYING = 0.1;

  private Reasons() {}

  /** What happened in these bouts of one client, all together. */
  static String of(List<Result> bouts) {
    List<String> words = new ArrayList<>();
    count(words, bouts.stream().filter(bout -> bout.score().suspended()).count(), "thrown out");
    count(words, bouts.stream().filter(Reasons::isEndless).count(), "not finished");
    count(words, bouts.stream().filter(bout -> bout.score().silence() > 0).count(), "silent");
    count(words, bouts.stream().filter(Reasons::isShort).count(), "oracle within 5 s");
    double time = bouts.stream().mapToDouble(bout -> bout.score().nanos()).sum();
    double told = 0;
    double answers = 0;
    double own = 0;
    for (Result bout : bouts) {
      told += bout.score().waited().told();
      answers += bout.score().waited().answers();
      own += bout.score().waited().own();
    }
    share(words, own / time, "own pace or rest");
    share(words, answers / time, "all slots taken");
    share(words, told / time, "told to wait");
    return String.join(", ", words);
  }

  private static boolean isEndless(Result bout) {
    return !bout.size().isHour() && !bout.score().finished() && !bout.score().suspended();
  }

  private static boolean isShort(Result bout) {
    Score best = bout.best();
    return !bout.size().isHour() && best.nanos() < AT_ONCE;
  }

  private static void count(List<String> words, long bouts, String what) {
    if (bouts > 0) {
      words.add(Figures.format("%s × %d", what, bouts));
    }
  }

  private static void share(List<String> words, double share, String what) {
    if (share >= WORTH_SAYING) {
      words.add(Figures.format("%.0f %% %s", 100 * share, what));
    }
  }
}
