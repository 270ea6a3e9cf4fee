package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A picture of lines as SVG: points joined in order, with a bar over the interval of each, and a
 * legend of the lines that have a label, in the order in which they end. It is drawn for the width
 * of a phone and has no colours of its own.
 */
public final class LineChart {
  private static final int WIDTH = 360;
  private static final int PLOT = 176;
  private static final int LEFT = 52;
  private static final int RIGHT = 12;
  private static final int TOP = 22;
  private static final int TICK_ROW = 20;
  private static final int TITLE_ROW = 18;
  private static final int LEGEND_ROW = 17;
  private static final int INSIDE = 12;

  /* Wide enough for the font, whatever it is. */
  private static final double CHARACTER = 6.6;

  /* Of more points the marks and bars would hide each other. */
  private static final int MOST_MARKS = 12;

  private final String unit;
  private final boolean logarithmic;
  private final List<Tick> ticks;
  private final String along;
  private final List<Line> lines = new ArrayList<>();
  private @Nullable Limit limit;

  /** A mark on the horizontal axis. */
  public record Tick(double x, String label) {}

  /**
   * A point.
   *
   * @param interval of {@code y}
   */
  public record Point(double x, double y, @Nullable Interval interval) {}

  private record Line(String style, String label, List<Point> points) {
    double end() {
      return points.get(points.size() - 1).y();
    }
  }

  private record Limit(double y, String label) {}

  /**
   * A chart whose horizontal axis has no title.
   *
   * @param unit of the vertical axis
   * @param logarithmic whether the vertical axis is; if not it begins at 0
   * @param ticks of the horizontal axis, whose ends are the first and the last
   */
  public LineChart(String unit, boolean logarithmic, List<Tick> ticks) {
    this(unit, logarithmic, ticks, "");
  }

  /** See above; {@code along} is the title of the horizontal axis, with its unit. */
  public LineChart(String unit, boolean logarithmic, List<Tick> ticks, String along) {
    this.unit = unit;
    this.logarithmic = logarithmic;
    this.ticks = List.copyOf(ticks);
    this.along = along;
  }

  /** Adds a line without label in front of those that are there. */
  public void add(String style, List<Point> points) {
    add(style, "", points);
  }

  /**
   * Adds a line in front of those that are there.
   *
   * @param style the name of a style in the page
   * @param label in the legend
   * @param points those that are not positive are left out where the axis is logarithmic
   */
  public void add(String style, String label, List<Point> points) {
    List<Point> drawn = points.stream().filter(p -> !logarithmic || p.y() > 0).toList();
    if (!drawn.isEmpty()) {
      lines.add(new Line(style, label, drawn));
    }
  }

  /** Draws a line across at a value that is not to be passed. */
  public void limit(double y, String label) {
    limit = new Limit(y, label);
  }

  /** Whether there is nothing to draw. */
  public boolean isEmpty() {
    return lines.isEmpty();
  }

  /** The numbers, a row for each point. */
  public ChartData data() {
    String x = along.isEmpty() ? "x" : along;
    List<List<String>> rows = new ArrayList<>();
    for (Line line : lines) {
      for (Point point : line.points()) {
        Interval interval = point.interval();
        rows.add(
            List.of(
                line.label().isEmpty() ? line.style() : line.label(),
                name(point.x()),
                ChartData.number(point.y()),
                interval == null ? "" : ChartData.number(interval.low()),
                interval == null ? "" : ChartData.number(interval.high())));
      }
    }
    return new ChartData(List.of("line", x, unit, "low", "high"), rows);
  }

  /**
   * The picture.
   *
   * @param title escaped
   */
  public String svg(String title) {
    int bottom = TOP + PLOT;
    ValueAxis axis = ValueAxis.of(logarithmic, range(), bottom, TOP);
    List<Line> legend =
        lines.stream()
            .filter(line -> !line.label().isEmpty())
            .sorted(Comparator.comparingDouble(Line::end).reversed())
            .toList();
    int legendTop = bottom + TICK_ROW + (along.isEmpty() ? 0 : TITLE_ROW);
    int height = legendTop + legend.size() * LEGEND_ROW + 4;
    Formatter svg = new Formatter(Locale.ROOT);
    svg.format("<svg viewBox='0 0 %d %d' role='img' aria-label='%s'>", WIDTH, height, title);
    svg.format("<text class='tick' x='2' y='12'>%s</text>", Html.escape(unit));
    values(svg, axis);
    places(svg, bottom);
    drawLimit(svg, axis);
    lines.forEach(line -> draw(svg, line, axis));
    for (int i = 0; i < legend.size(); i++) {
      legend(svg, legend.get(i), legendTop + i * LEGEND_ROW + LEGEND_ROW / 2);
    }
    return svg.format("</svg>").toString();
  }

  private List<Point> range() {
    Stream<Point> points = lines.stream().flatMap(line -> line.points().stream());
    return limit == null
        ? points.toList()
        : Stream.concat(points, Stream.of(new Point(0, limit.y(), null))).toList();
  }

  private static void values(Formatter svg, ValueAxis axis) {
    for (double value : axis.ticks()) {
      double y = axis.position(value);
      svg.format(
          "<line class='axis' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>", LEFT, WIDTH - RIGHT, y, y);
      svg.format(
          "<text class='tick' x='%d' y='%.1f' text-anchor='end'>%s</text>",
          LEFT - 5, y + 4, Html.escape(Numbers.tick(value)));
    }
  }

  private void places(Formatter svg, int bottom) {
    double free = 0;
    for (Tick tick : ticks) {
      double half = tick.label().length() * CHARACTER / 2;
      double middle = Math.min(x(tick.x()), WIDTH - 1 - half);
      if (middle - half >= free) {
        free = middle + half + CHARACTER;
        svg.format(
            "<text class='tick' x='%.1f' y='%d' text-anchor='middle'>%s</text>",
            middle, bottom + 16, Html.escape(tick.label()));
      }
    }
    if (!along.isEmpty()) {
      svg.format(
          "<text class='tick' x='%d' y='%d' text-anchor='middle'>%s</text>",
          (LEFT + WIDTH - RIGHT) / 2, bottom + 32, Html.escape(along));
    }
  }

  private void drawLimit(Formatter svg, ValueAxis axis) {
    if (limit != null) {
      double y = axis.position(limit.y());
      svg.format(
          "<line class='limit' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>", LEFT, WIDTH - RIGHT, y, y);
      svg.format(
          "<text class='tick' x='%d' y='%.1f'>%s</text>",
          LEFT + 4, y - 4, Html.escape(limit.label()));
    }
  }

  private void draw(Formatter svg, Line line, ValueAxis axis) {
    boolean marked = line.points().size() <= MOST_MARKS;
    svg.format("<g class='%s'>", line.style());
    StringBuilder path = new StringBuilder();
    for (Point point : line.points()) {
      double x = x(point.x());
      double y = axis.position(point.y());
      path.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
      Interval interval = point.interval();
      if (interval != null && marked) {
        svg.format(
            "<line class='bar' x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>",
            x, x, axis.position(interval.low()), axis.position(interval.high()));
      }
    }
    svg.format("<polyline points='%s'/>", path.toString().strip());
    for (Point point : line.points()) {
      svg.format(
          "<circle cx='%.1f' cy='%.1f' r='%s'><title>%s</title></circle>",
          x(point.x()), axis.position(point.y()), marked ? "3" : "1.5", told(line, point));
    }
    svg.format("</g>");
  }

  private String told(Line line, Point point) {
    Interval interval = point.interval();
    return Html.escape(
        (line.label().isEmpty() ? "" : line.label() + ", ")
            + name(point.x())
            + ": "
            + Numbers.rate(point.y())
            + " "
            + unit
            + (interval == null
                ? ""
                : " (" + Numbers.rate(interval.low()) + " to " + Numbers.rate(interval.high()))
            + (interval == null ? "" : ")"));
  }

  /** The label of the tick there, else the number. */
  private String name(double x) {
    return ticks.stream()
        .filter(tick -> tick.x() == x && !tick.label().isEmpty())
        .map(Tick::label)
        .findFirst()
        .orElseGet(() -> ChartData.number(x));
  }

  private static void legend(Formatter svg, Line line, int y) {
    svg.format(
        "<g class='%s'><polyline points='%d,%d %d,%d'/><circle cx='%d' cy='%d' r='3'/></g>",
        line.style(), LEFT, y, LEFT + 24, y, LEFT + 12, y);
    svg.format("<text x='%d' y='%d'>%s</text>", LEFT + 32, y + 4, Html.escape(line.label()));
  }

  private double x(double value) {
    double first = ticks.get(0).x();
    double last = ticks.get(ticks.size() - 1).x();
    double share = last > first ? (value - first) / (last - first) : 0.5;
    // Half a label's width inside, so that the first and the last are not cut off.
    return LEFT + INSIDE + share * (WIDTH - LEFT - RIGHT - 2 * INSIDE);
  }
}
