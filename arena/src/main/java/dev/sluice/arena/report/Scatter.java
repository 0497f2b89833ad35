package dev.sluice.arena.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Ratio against throttled, a mark for each policy: the best stand at the top left. The lower axis
 * is drawn by the fourth root, because what matters lies between nothing and one per cent.
 */
final class Scatter {
  private static final double WIDTH = 460;
  private static final double HEIGHT = 330;
  private static final double LEFT = 40;
  private static final double RIGHT = 8;
  private static final double TOP = 26;
  private static final double BOTTOM = 34;
  private static final double LINE = 11;
  private static final double LETTER = 5.6;
  private static final int MOST_TRIES = 240;
  private static final double[] TICKS = {0, 0.001, 0.005, 0.02, 0.1, 0.3, 0.7};

  /** A policy's mark. */
  record Mark(String name, boolean isOurs, double ratio, double throttled) {}

  /** Where words stand already. */
  private record Box(double x1, double y1, double x2, double y2) {
    boolean hits(Box other) {
      return x1 < other.x2 && other.x1 < x2 && y1 < other.y2 && other.y1 < y2;
    }
  }

  private final String title;
  private final List<Mark> marks;
  private final double lowest;
  private final double highest;
  private final double most;
  private final StringBuilder svg = new StringBuilder();
  private final List<Box> taken = new ArrayList<>();

  private Scatter(String title, List<Mark> marks) {
    this.title = title;
    this.marks = new ArrayList<>(marks);
    this.marks.sort(
        Comparator.comparing(Mark::isOurs)
            .thenComparingDouble(Mark::ratio)
            .reversed()
            .thenComparing(Mark::name));
    double least = marks.stream().mapToDouble(Mark::ratio).min().orElse(0);
    this.lowest = Math.min(0.8, Math.floor(least * 5) / 5);
    this.highest = Math.max(1, marks.stream().mapToDouble(Mark::ratio).max().orElse(1));
    this.most = Math.max(0.02, marks.stream().mapToDouble(Mark::throttled).max().orElse(0)) * 1.1;
  }

  static String draw(String title, List<Mark> marks) {
    return new Scatter(title, marks).draw();
  }

  private double x(double throttled) {
    return LEFT + 6 + (WIDTH - LEFT - RIGHT - 6) * Math.sqrt(Math.sqrt(throttled / most));
  }

  private double y(double ratio) {
    return TOP + (HEIGHT - TOP - BOTTOM) * (highest - ratio) / (highest - lowest);
  }

  private String draw() {
    svg.append(Svg.start(WIDTH, HEIGHT, "ratio against throttled, " + title));
    svg.append(Svg.text("title", LEFT, 14, title)).append('\n');
    axes();
    for (Mark mark : marks) {
      taken.add(around(x(mark.throttled()), y(mark.ratio()), 4));
    }
    for (Mark mark : marks) {
      mark(mark);
    }
    return svg.append("</svg>\n").toString();
  }

  private void axes() {
    double step = highest - lowest > 0.5 ? 0.2 : highest - lowest > 0.25 ? 0.1 : 0.05;
    for (int i = 0; lowest + i * step <= highest + 1e-9; i++) {
      double ratio = lowest + i * step;
      svg.append(Svg.line("grid", LEFT, y(ratio), WIDTH - RIGHT, y(ratio)));
      svg.append(Svg.text("tick end", LEFT - 5, y(ratio) + 3, Figures.format("%.2f", ratio)));
    }
    for (double tick : TICKS) {
      if (tick <= most) {
        svg.append(Svg.line("grid", x(tick), TOP, x(tick), HEIGHT - BOTTOM));
        svg.append(Svg.text("tick middle", x(tick), HEIGHT - BOTTOM + 13, percent(tick)));
      }
    }
    svg.append(Svg.text("tick end", WIDTH - RIGHT, HEIGHT - 6, "throttled (fourth root)"));
    svg.append(Svg.text("tick", 4, HEIGHT - 6, "ratio upwards")).append('\n');
  }

  private static String percent(double share) {
    String text = String.valueOf(Math.rint(share * 1e4) / 100);
    return (text.endsWith(".0") ? text.substring(0, text.length() - 2) : text) + " %";
  }

  private void mark(Mark mark) {
    double x = x(mark.throttled());
    double y = y(mark.ratio());
    String kind = mark.isOurs() ? "ours" : "peer";
    svg.append(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"4\"><title>%s: %s / %s</title></circle>"
            .formatted(
                kind,
                Svg.at(x),
                Svg.at(y),
                Svg.escape(mark.name()),
                Figures.ratio(mark.ratio()),
                Figures.share(mark.throttled())));
    double wide = mark.name().length() * LETTER;
    for (int turn = 0; turn < MOST_TRIES; turn++) {
      double away = (turn / 6 + 1) / 2 * (turn / 6 % 2 == 0 ? 1 : -1) * (LINE - 2);
      double reach = turn % 6 < 2 ? 8 : turn % 6 < 4 ? 30 : 70;
      double left = turn % 2 == 0 ? x + reach : x - reach - wide;
      Box box = new Box(left, y + away - LINE / 2, left + wide, y + away + LINE / 2);
      if (isFree(box)) {
        taken.add(box);
        if (Math.abs(away) > LINE || reach > 8) {
          svg.append(Svg.line("lead", x, y, turn % 2 == 0 ? left - 1 : left + wide + 1, y + away));
        }
        svg.append(Svg.text("label " + kind + "-name", left, y + away + 3.5, mark.name()));
        break;
      }
    }
    svg.append('\n');
  }

  private boolean isFree(Box box) {
    return box.x1 > LEFT + 2
        && box.x2 < WIDTH
        && box.y1 > TOP - 8
        && box.y2 < HEIGHT - BOTTOM + 2
        && taken.stream().noneMatch(box::hits);
  }

  private static Box around(double x, double y, double reach) {
    return new Box(x - reach, y - reach, x + reach, y + reach);
  }
}
