package dev.sluice.arena.report;

import java.util.function.IntToDoubleFunction;

/**
 * A picture of something over time: strips with curves, bars or bands, one below the other, on one
 * axis of time. The slices of time are equally long. Not thread-safe.
 */
public final class TimeStrips {
  private static final double GAP = 16;

  private final double left;
  private final double plot;
  private final int slices;
  private final StringBuilder svg = new StringBuilder();
  private double top;

  /**
   * An empty picture.
   *
   * @param width of the whole, in pixels
   * @param height of the whole
   * @param left of this, for what is written beside the strips
   * @param slices of time, 0 or more
   * @param label what it is called for those who cannot see it
   */
  public TimeStrips(double width, double height, double left, int slices, String label) {
    this.left = left;
    this.plot = width - left - 6;
    this.slices = slices;
    this.top = 16;
    svg.append(Svg.start(width, height, label));
  }

  /** The name of the whole, above the first strip. */
  public TimeStrips title(String words) {
    svg.append(Svg.text("title", left, 13, words)).append('\n');
    top = 32;
    return this;
  }

  /** Begins a strip for values from 0 to {@code most}, whose label is {@code highest}. */
  public TimeStrips strip(String name, String highest, double height) {
    svg.append(Svg.line("grid", left, top, left + plot, top));
    svg.append(Svg.line("axis", left, top + height, left + plot, top + height));
    svg.append(Svg.text("tick end", left - 4, top + 7, highest));
    svg.append(Svg.text("tick end", left - 4, top + height, "0"));
    svg.append(Svg.text("tick", left + 3, top - 3, name)).append('\n');
    return this;
  }

  /**
   * A line through all values that are numbers; what is too high runs along the upper edge.
   *
   * @param value of a slice
   */
  public TimeStrips curve(String kind, IntToDoubleFunction value, double most, double height) {
    StringBuilder path = new StringBuilder();
    boolean drawing = false;
    for (int i = 0; i < slices; i++) {
      double figure = value.applyAsDouble(i);
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
    return this;
  }

  /** Bars by the square root, so that one beside hundreds is seen. */
  public TimeStrips bars(
      String kind, String name, IntToDoubleFunction value, double most, double height) {
    svg.append(Svg.text("tick", left + 3, top - 3, name));
    svg.append(Svg.line("axis", left, top + height, left + plot, top + height));
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < slices; i++) {
      double figure = value.applyAsDouble(i);
      if (figure > 0) {
        path.append('M').append(Svg.at(x(i))).append(' ').append(Svg.at(top + height));
        path.append('V').append(Svg.at(top + height * (1 - Math.sqrt(figure / most))));
      }
    }
    if (!path.isEmpty()) {
      svg.append("<path class=\"%s\" d=\"%s\"/>".formatted(kind, path));
    }
    svg.append('\n');
    return this;
  }

  /**
   * A row with a name at its left and a band wherever a slice has a share of it.
   *
   * @param share of a slice that the band covers, 0 to 1
   */
  public TimeStrips band(String kind, String name, IntToDoubleFunction share, double height) {
    svg.append(Svg.text("tick end", left - 4, top + height / 2 + 3.5, name));
    svg.append(Svg.rectangle("lane", left, top + 1, plot, height - 2, ""));
    double wide = plot / Math.max(1, slices);
    for (int i = 0; i < slices; i++) {
      int begun = i;
      double covered = 0;
      while (i < slices && share.applyAsDouble(i) > 0) {
        covered += Math.min(1, share.applyAsDouble(i++));
      }
      if (covered > 0) {
        svg.append(
            Svg.rectangle(
                kind,
                left + begun * wide,
                top + 1,
                Math.max(0.75, covered * wide),
                height - 2,
                ""));
      }
    }
    svg.append('\n');
    top += height;
    return this;
  }

  /** Ends a strip of that height, and leaves room for the name of the next. */
  public TimeStrips below(double height) {
    top += height + GAP;
    return this;
  }

  /** Ends a strip of that height, with nothing below it but the axis of time. */
  public TimeStrips last(double height) {
    top += height;
    return this;
  }

  /** A mark on the axis of time. */
  public TimeStrips tick(String kind, double share, String words) {
    svg.append(Svg.text(kind, left + plot * share, top + 11, words));
    return this;
  }

  /** The picture. */
  public String end() {
    return svg.append("\n</svg>\n").toString();
  }

  private double x(int slice) {
    return left + plot * (slice + 0.5) / Math.max(1, slices);
  }
}
