// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One chart, drawn by a page's script: bars of ratios or lines.
 *
 * @param low the end of the logarithmic axis of values, which charts of the kind and unit share
 * @param bars from top to bottom; empty for a chart of lines
 * @param lines null for a chart of bars
 */
public record Chart(
    String group,
    String title,
    String note,
    double low,
    double high,
    List<Bar> bars,
    @Nullable Lines lines) {

  /** A ratio and its interval, which it may not have. */
  public record Bar(
      String label, double value, @Nullable Double low, @Nullable Double high, String verdict) {}

  /** Values along an axis, without ticks where numbers will do, and what to keep below. */
  public record Lines(
      String along, String unit, List<Tick> ticks, @Nullable Double limit, List<Line> lines) {}

  public record Tick(double x, String label) {}

  /** A line; a directory has the same style in all charts. */
  public record Line(String label, int style, List<Point> points) {}

  /** A value on a line; it may have no interval. */
  public record Point(double x, double y, @Nullable Double low, @Nullable Double high) {
    static Point of(double x, double y, @Nullable Interval interval) {
      return interval == null
          ? new Point(x, y, null, null)
          : new Point(x, y, interval.low(), interval.high());
    }
  }

  private Stream<Point> points() {
    return lines == null
        ? bars.stream().map(b -> new Point(0, b.value(), b.low(), b.high()))
        : lines.lines().stream().flatMap(line -> line.points().stream());
  }

  /** The ends of all intervals; of one that reaches far from its value only so much counts. */
  static DoubleStream ends(List<Chart> charts, boolean low, double mostReach) {
    return charts.stream()
        .flatMap(Chart::points)
        .filter(p -> p.y() > 0)
        .mapToDouble(
            p -> {
              Double end = low ? p.low() : p.high();
              double far = end == null ? p.y() : end;
              return low ? Math.max(far, p.y() / mostReach) : Math.min(far, p.y() * mostReach);
            });
  }

  Chart scaled(double newLow, double newHigh) {
    return new Chart(group, title, note, newLow, newHigh, bars, lines);
  }
}
