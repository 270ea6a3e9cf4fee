package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A picture of lines as SVG: points joined in order, with a bar over the interval of each. It is
 * drawn for the width of a phone and has no colours of its own.
 */
public final class LineChart {
  private static final int WIDTH = 360;
  private static final int HEIGHT = 220;
  private static final int LEFT = 48;
  private static final int RIGHT = 12;
  private static final int TOP = 8;
  private static final int BOTTOM = 36;

  private final String unit;
  private final boolean logarithmic;
  private final List<Tick> ticks;
  private final List<Line> lines = new ArrayList<>();

  /** A mark on the horizontal axis. */
  public record Tick(double x, String label) {}

  /**
   * A point.
   *
   * @param interval of {@code y}
   */
  public record Point(double x, double y, @Nullable Interval interval) {}

  private record Line(String style, List<Point> points) {}

  /**
   * @param unit of the vertical axis
   * @param logarithmic whether the vertical axis is; if not it begins at 0
   * @param ticks of the horizontal axis, whose ends are the first and the last
   */
  public LineChart(String unit, boolean logarithmic, List<Tick> ticks) {
    this.unit = unit;
    this.logarithmic = logarithmic;
    this.ticks = List.copyOf(ticks);
  }

  /**
   * Adds a line in front of those that are there.
   *
   * @param style the name of a style in the page
   * @param points positive where the axis is logarithmic
   */
  public void add(String style, List<Point> points) {
    lines.add(new Line(style, List.copyOf(points)));
  }

  /**
   * The picture.
   *
   * @param title escaped
   */
  public String svg(String title) {
    ValueAxis axis =
        ValueAxis.of(
            logarithmic,
            lines.stream().flatMap(line -> line.points().stream()).toList(),
            HEIGHT - BOTTOM,
            TOP);
    Formatter svg = new Formatter(Locale.ROOT);
    svg.format("<svg viewBox='0 0 %d %d' role='img' aria-label='%s'>", WIDTH, HEIGHT, title);
    for (double value : axis.ticks()) {
      double y = axis.position(value);
      svg.format(
          "<line class='axis' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>", LEFT, WIDTH - RIGHT, y, y);
      svg.format(
          "<text class='tick' x='%d' y='%.1f' text-anchor='end'>%s</text>",
          LEFT - 5, y + 4, Html.escape(Numbers.tick(value)));
    }
    for (Tick tick : ticks) {
      svg.format(
          "<text class='tick' x='%.1f' y='%d' text-anchor='middle'>%s</text>",
          x(tick.x()), HEIGHT - BOTTOM + 16, Html.escape(tick.label()));
    }
    svg.format(
        "<text class='tick' x='%d' y='%d' text-anchor='start'>%s</text>",
        2, HEIGHT - 4, Html.escape(unit));
    lines.forEach(line -> draw(svg, line, axis));
    return svg.format("</svg>").toString();
  }

  private void draw(Formatter svg, Line line, ValueAxis axis) {
    svg.format("<g class='%s'>", line.style());
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      double x = x(point.x());
      double y = axis.position(point.y());
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      Interval interval = point.interval();
      if (interval != null) {
        svg.format(
            "<line class='bar' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>",
            x, x, axis.position(interval.low()), axis.position(interval.high()));
      }
    }
    svg.format("<polyline points='%s'/></g>", path.toString().strip());
  }

  private double x(double value) {
    double first = ticks.get(0).x();
    double last = ticks.get(ticks.size() - 1).x();
    double share = last > first ? (value - first) / (last - first) : 0.5;
    // Half a label's width inside, so that the first and the last are not cut off.
    return LEFT + 12 + share * (WIDTH - LEFT - RIGHT - 24);
  }
}
