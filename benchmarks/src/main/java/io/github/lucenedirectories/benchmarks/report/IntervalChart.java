package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/**
 * A picture of many intervals of ratios side by side as SVG, in the order of their ratios; those
 * that do not hold 1 stand out.
 */
public final class IntervalChart {
  private static final int WIDTH = 360;
  private static final int LEFT = 52;
  private static final int RIGHT = 12;
  private static final int TOP = 22;
  private static final int BOTTOM = 220;
  private static final int HEIGHT = BOTTOM + 22;

  /* Intervals of few forks can reach far; what lies beyond is cut off. */
  private static final double MOST = 4;

  private final List<Bar> bars = new ArrayList<>();

  private record Bar(String label, double ratio, Interval interval) {
    boolean holdsOne() {
      return interval.contains(1);
    }
  }

  /** Adds an interval. */
  public void add(String label, double ratio, Interval interval) {
    bars.add(new Bar(label, ratio, interval));
  }

  /** The numbers, in the order in which they were added. */
  public ChartData data() {
    return new ChartData(
        List.of("comparison", "ratio", "low", "high", "holds 1.00"),
        bars.stream()
            .map(
                bar ->
                    List.of(
                        bar.label(),
                        ChartData.number(bar.ratio()),
                        ChartData.number(bar.interval().low()),
                        ChartData.number(bar.interval().high()),
                        bar.holdsOne() ? "yes" : "no"))
            .toList());
  }

  /**
   * The picture.
   *
   * @param title escaped
   */
  public String svg(String title) {
    ValueAxis axis =
        ValueAxis.of(
            true,
            bars.stream()
                .map(
                    bar ->
                        new LineChart.Point(
                            0,
                            Math.clamp(bar.ratio(), 1 / MOST, MOST),
                            new Interval(
                                Math.clamp(bar.interval().low(), 1 / MOST, MOST),
                                Math.clamp(bar.interval().high(), 1 / MOST, MOST))))
                .toList(),
            BOTTOM,
            TOP);
    Formatter svg = new Formatter(Locale.ROOT);
    svg.format("<svg viewBox='0 0 %d %d' role='img' aria-label='%s'>", WIDTH, HEIGHT, title);
    svg.format("<text class='tick' x='2' y='12'>ratio</text>");
    for (double value : axis.ticks()) {
      double y = axis.position(value);
      svg.format(
          "<line class='%s' x1='%d' x2='%d' y1='%.1f' y2='%.1f'/>",
          value == 1 ? "one" : "axis", LEFT, WIDTH - RIGHT, y, y);
      svg.format(
          "<text class='tick' x='%d' y='%.1f' text-anchor='end'>%s</text>",
          LEFT - 5, y + 4, Numbers.tick(value));
    }
    List<Bar> sorted = bars.stream().sorted(Comparator.comparingDouble(Bar::ratio)).toList();
    double step = (double) (WIDTH - LEFT - RIGHT) / sorted.size();
    for (int i = 0; i < sorted.size(); i++) {
      bar(svg, sorted.get(i), LEFT + (i + 0.5) * step, axis);
    }
    svg.format(
        "<text class='tick' x='%d' y='%d' text-anchor='middle'>%d comparisons, sorted</text>",
        (LEFT + WIDTH - RIGHT) / 2, BOTTOM + 16, bars.size());
    return svg.format("</svg>").toString();
  }

  private static void bar(Formatter svg, Bar bar, double x, ValueAxis axis) {
    svg.format(
        "<g class='%s'><title>%s: %s (%s)</title>",
        bar.holdsOne() ? "same" : "slower",
        Html.escape(bar.label()),
        Numbers.fineRatio(bar.ratio()),
        Numbers.fineRange(bar.interval()));
    svg.format(
        "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f'/>",
        x, x, axis.position(bar.interval().low()), axis.position(bar.interval().high()));
    svg.format("<circle cx='%.1f' cy='%.1f' r='1'/></g>", x, axis.position(bar.ratio()));
  }
}
