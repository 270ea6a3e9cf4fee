package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.ChartFigure;
import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.LineChart;
import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a chart of lines shows, before it is drawn.
 *
 * @param group the title of its section
 * @param unit of the vertical axis
 * @param logarithmic whether the vertical axis is
 * @param along the horizontal axis, with its unit
 * @param limit that the values should keep below; null if there is none
 * @param lines those without points are left out
 */
record Lines(
    String group,
    String title,
    String unit,
    boolean logarithmic,
    String along,
    List<Tick> ticks,
    @Nullable Double limit,
    List<Line> lines) {

  /* As many styles as the page has. */
  private static final int STYLES = 8;

  /**
   * One line.
   *
   * @param number the same for the same directory or run in all charts of a page
   */
  record Line(int number, String label, List<Point> points) {}

  boolean isEmpty() {
    return lines.stream().allMatch(line -> line.points().isEmpty());
  }

  /** The chart. */
  ChartFigure figure() {
    LineChart chart = new LineChart(unit, logarithmic, ticks, along);
    for (Line line : lines) {
      chart.add("s" + line.number() % STYLES, line.label(), line.points());
    }
    if (limit != null) {
      chart.limit(limit, "limit " + Numbers.rate(limit) + " " + unit);
    }
    String caption = logarithmic ? "vertical axis logarithmic" : "vertical axis from 0";
    return new ChartFigure(group, title, chart.svg(Html.escape(title)), caption, chart.data());
  }
}
