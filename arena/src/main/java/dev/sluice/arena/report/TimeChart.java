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

  private final Trace trace;
  private final Scale scale;
  private final TimeStrips strips;

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
    this.strips =
        new TimeStrips(
            WIDTH,
            284,
            LEFT,
            trace.slices().size(),
            trace.entrant() + " in " + trace.venue().name());
  }

  static String draw(Trace trace, Scale scale) {
    return new TimeChart(trace, scale).draw();
  }

  private String draw() {
    strips.title(trace.entrant());
    double inFlight = Math.max(1, scale.inFlight() * 1.1);
    strips.strip("in flight", figure(inFlight), 70);
    curve("limit", Slice::level, inFlight, 70);
    curve("flow", Slice::inFlight, inFlight, 70);
    strips.below(70);
    double sent = Math.max(0.1, scale.sent() * 1.1);
    strips.strip("requests per second", figure(sent), 50);
    curve("limit", Slice::rate, sent, 50);
    curve("flow", Slice::sent, sent, 50);
    strips.below(50);
    strips.strip("share of the quota used", figure(1), 40);
    curve("used", Slice::used, 1, 40);
    strips.below(40);
    long refused = trace.slices().stream().mapToLong(Slice::refused).sum();
    strips.bars(
        "refused",
        Figures.format("refused: %d in all", refused),
        slice -> trace.slices().get(slice).refused(),
        Math.max(1, scale.refused()),
        24);
    strips.last(24);
    minutes();
    return strips.end();
  }

  private static String figure(double value) {
    return Figures.format(value < 10 ? "%.1f" : "%.0f", value);
  }

  private void curve(String kind, ToDoubleFunction<Slice> value, double most, double height) {
    strips.curve(kind, slice -> value.applyAsDouble(trace.slices().get(slice)), most, height);
  }

  private void minutes() {
    double all = trace.sliceSeconds() * trace.slices().size() / 60;
    for (int minute = 0; minute <= all; minute += 15) {
      strips.tick(minute == 0 ? "tick" : "tick end", minute / all, minute + " min");
    }
  }
}
