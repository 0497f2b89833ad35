package dev.sluice.arena.report;

import dev.sluice.arena.Trace;
import dev.sluice.arena.Trace.Slice;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One bout over time, in four strips one below the other: requests in flight, pace, share of the
 * quota used, refusals. Bouts of one scenario have the same scales, so that they can be compared.
 */
final class TimeChart {
  private static final double WIDTH = 360;
  private static final double LEFT = 34;
  private static final double PLOT = WIDTH - LEFT - 6;
  private static final double GAP = 16;

  private final Trace trace;
  private final Scale scale;
  private final StringBuilder svg = new StringBuilder();
  private double top = 32;

  /** The highest values of all bouts that are drawn together. */
  record Scale(double inFlight, double sent, double refused) {
    static Scale of(List<Trace> traces) {
      return new Scale(
          most(traces, Slice::inFlight), most(traces, Slice::sent), most(traces, Slice::refused));
    }

    private static double most(List<Trace> traces, ToDoubleFunction<Slice> value) {
      return traces.stream()
          .flatMap(trace -> trace.slices().stream())
          .mapToDouble(value)
          .max()
          .orElse(1);
    }
  }

  private TimeChart(Trace trace, Scale scale) {
    this.trace = trace;
    this.scale = scale;
  }

  static String draw(Trace trace, Scale scale) {
    return new TimeChart(trace, scale).draw();
  }

  private String draw() {
    svg.append(Svg.start(WIDTH, 284, trace.entrant() + " in " + trace.venue().name()));
    svg.append(Svg.text("title", LEFT, 13, trace.entrant())).append('\n');
    double inFlight = Math.max(1, scale.inFlight() * 1.1);
    strip("in flight", inFlight, 70);
    curve("limit", Slice::level, inFlight, 70);
    curve("flow", Slice::inFlight, inFlight, 70);
    below(70);
    double sent = Math.max(0.1, scale.sent() * 1.1);
    strip("requests per second", sent, 50);
    curve("limit", Slice::rate, sent, 50);
    curve("flow", Slice::sent, sent, 50);
    below(50);
    strip("share of the quota used", 1, 40);
    curve("used", Slice::used, 1, 40);
    below(40);
    refusals(Math.max(1, scale.refused()), 24);
    minutes();
    return svg.append("</svg>\n").toString();
  }

  private void strip(String name, double most, double height) {
    svg.append(Svg.line("grid", LEFT, top, LEFT + PLOT, top));
    svg.append(Svg.line("axis", LEFT, top + height, LEFT + PLOT, top + height));
    svg.append(Svg.text("tick end", LEFT - 4, top + 7, figure(most)));
    svg.append(Svg.text("tick end", LEFT - 4, top + height, "0"));
    svg.append(Svg.text("tick", LEFT + 3, top - 3, name)).append('\n');
  }

  private static String figure(double value) {
    return Figures.format(value < 10 ? "%.1f" : "%.0f", value);
  }

  private void below(double height) {
    top += height + GAP;
  }

  private double x(int slice) {
    return LEFT + PLOT * (slice + 0.5) / Math.max(1, trace.slices().size());
  }

  /** A line through all values that are numbers; what is too high runs along the upper edge. */
  private void curve(String kind, ToDoubleFunction<Slice> value, double most, double height) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < trace.slices().size(); i++) {
      double figure = value.applyAsDouble(trace.slices().get(i));
      if (!Double.isFinite(figure)) {
        drawing = false;
        continue;
      }
      double y = top + height * (1 - Math.clamp(figure / most, 0, 1));
      path.append(drawing ? 'L' : 'M').append(Svg.at(x(i))).append(' ').append(Svg.at(y));
      drawing = true;
    }
    if (!path.isEmpty()) {
      svg.append("<path class=\"%s\" d=\"%s\"/>\n".formatted(kind, path));
    }
  }

  private void refusals(double most, double height) {
    long sum = trace.slices().stream().mapToLong(Slice::refused).sum();
    svg.append(Svg.text("tick", LEFT + 3, top - 3, Figures.format("refused: %d in all", sum)));
    svg.append(Svg.line("axis", LEFT, top + height, LEFT + PLOT, top + height));
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < trace.slices().size(); i++) {
      long refused = trace.slices().get(i).refused();
      if (refused > 0) { // by the root: one refusal beside hundreds must be seen
        path.append('M').append(Svg.at(x(i))).append(' ').append(Svg.at(top + height));
        path.append('V').append(Svg.at(top + height * (1 - Math.sqrt(refused / most))));
      }
    }
    if (!path.isEmpty()) {
      svg.append("<path class=\"refused\" d=\"%s\"/>".formatted(path));
    }
    svg.append('\n');
    top += height;
  }

  private void minutes() {
    double all = trace.sliceSeconds() * trace.slices().size() / 60;
    for (int minute = 0; minute <= all; minute += 15) {
      double x = LEFT + PLOT * minute / all;
      svg.append(Svg.text(minute == 0 ? "tick" : "tick end", x, top + 11, minute + " min"));
    }
    svg.append('\n');
  }
}
