package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A picture of ratios as SVG: a row for each, a dot at its value, a bar over its interval, on a
 * logarithmic axis around 1. It is drawn for the width of a phone and has no colours of its own.
 */
public final class ForestChart {
  private static final int WIDTH = 360;
  private static final int LEFT = 150;
  private static final int RIGHT = 12;
  private static final int ROW = 18;
  private static final int TOP = 6;
  private static final int BOTTOM = 40;

  /* Ratios worth a mark on the axis. */
  private static final double[] TICKS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.25, 2, 5,
    10, 20, 50, 100, 200, 500, 1000
  };
  private static final int TICK_GAP = 36;

  /* Wide enough for the font, whatever it is. */
  private static final double CHARACTER = 6.6;

  private static final int MOST_CHARACTERS = 19;
  private static final int KEPT_END = 8;
  private static final int KEPT_BEFORE_BRACKET = 5;

  /* An axis never spans less, or noise would look like news. */
  private static final double LEAST_SPAN = 1.1;

  /* Of an interval that reaches further from its ratio only so much is drawn. */
  private static final double MOST_REACH = 20;

  private final List<Row> rows = new ArrayList<>();
  private final @Nullable Interval band;
  private double low = 1 / LEAST_SPAN;
  private double high = LEAST_SPAN;

  private record Row(
      String label, double ratio, @Nullable Interval interval, String style, boolean mean) {}

  /**
   * @param band shaded behind the rows: where equal directories come to lie
   */
  public ForestChart(@Nullable Interval band) {
    this.band = band;
  }

  /**
   * Adds a row.
   *
   * @param style {@code faster}, {@code same} or {@code slower}
   * @param mean whether it stands out
   */
  public void add(
      String label, double ratio, @Nullable Interval interval, String style, boolean mean) {
    rows.add(new Row(label, ratio, interval, style, mean));
    double from = interval == null ? ratio : Math.max(interval.low(), ratio / MOST_REACH);
    double to = interval == null ? ratio : Math.min(interval.high(), ratio * MOST_REACH);
    low = Math.min(low, from / 1.02);
    high = Math.max(high, to * 1.02);
  }

  /** Whether there is nothing to draw. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** The numbers, a row for each row of the chart. */
  public ChartData data() {
    List<List<String>> cells = new ArrayList<>();
    for (Row row : rows) {
      Interval interval = row.interval();
      cells.add(
          List.of(
              row.label(),
              ChartData.number(row.ratio()),
              interval == null ? "" : ChartData.number(interval.low()),
              interval == null ? "" : ChartData.number(interval.high()),
              row.style()));
    }
    return new ChartData(List.of("", "ratio", "low", "high", "verdict"), cells);
  }

  /**
   * The picture.
   *
   * @param title escaped
   */
  public String svg(String title) {
    int height = TOP + rows.size() * ROW + BOTTOM;
    int bottom = height - BOTTOM;
    Formatter svg = new Formatter(Locale.ROOT);
    svg.format("<svg viewBox='0 0 %d %d' role='img' aria-label='%s'>", WIDTH, height, title);
    if (band != null) {
      double x = x(Math.max(low, band.low()));
      double width = x(Math.min(high, band.high())) - x;
      svg.format(
          "<rect class='band' x='%.1f' y='0' width='%.1f' height='%d'/>",
          x, Math.max(1, width), bottom);
    }
    axis(svg, bottom);
    for (int i = 0; i < rows.size(); i++) {
      row(svg, rows.get(i), TOP + i * ROW + ROW / 2);
    }
    svg.format(
        "<text class='tick' x='%d' y='%d' text-anchor='middle'>ratio, logarithmic</text>",
        (LEFT + WIDTH - RIGHT) / 2, height - 6);
    return svg.format("</svg>").toString();
  }

  private void axis(Formatter svg, int bottom) {
    double last = Double.NEGATIVE_INFINITY;
    double one = x(1);
    for (double tick : TICKS) {
      double x = x(tick);
      boolean crowded = x - last < TICK_GAP || (tick != 1 && Math.abs(x - one) < TICK_GAP);
      if (tick < low || tick > high || (crowded && tick != 1)) {
        continue;
      }
      last = x;
      svg.format(
          "<line class='%s' x1='%.1f' x2='%.1f' y1='0' y2='%d'/>",
          tick == 1 ? "one" : "axis", x, x, bottom);
      String label = Numbers.tick(tick);
      svg.format(
          "<text class='tick' x='%.1f' y='%d' text-anchor='middle'>%s</text>",
          Math.min(x, WIDTH - 1 - label.length() * CHARACTER / 2), bottom + 15, label);
    }
  }

  private void row(Formatter svg, Row row, int y) {
    svg.format(
        "<text%s x='%d' y='%d' text-anchor='end'>%s</text>",
        row.mean() ? " class='mean'" : "", LEFT - 8, y + 4, shortened(row.label()));
    Interval interval = row.interval();
    svg.format(
        "<g class='%s'><title>%s: %s%s</title>",
        row.style(),
        Html.escape(row.label()),
        Numbers.fineRatio(row.ratio()),
        interval == null ? "" : " (" + Numbers.fineRange(interval) + ")");
    if (interval != null) {
      svg.format(
          "<line x1='%.1f' x2='%.1f' y1='%d' y2='%d' stroke-width='2'/>",
          x(interval.low()), x(interval.high()), y, y);
    }
    svg.format(
        "<circle cx='%.1f' cy='%d' r='%s'/></g>", x(row.ratio()), y, row.mean() ? "5" : "3.5");
  }

  private double x(double ratio) {
    double share = Math.log(Math.clamp(ratio, low, high) / low) / Math.log(high / low);
    return LEFT + share * (WIDTH - LEFT - RIGHT);
  }

  /** Its beginning and its end, which tells "(again)" from the first, or what is in brackets. */
  private static String shortened(String label) {
    int length = label.length();
    int bracket = label.indexOf('[');
    int begin = bracket < 0 ? MOST_CHARACTERS - KEPT_END - 1 : KEPT_BEFORE_BRACKET;
    int end = bracket < 0 ? length - KEPT_END : bracket;
    String text =
        length > MOST_CHARACTERS
            ? label.substring(0, begin) + "\u2026" + label.substring(end)
            : label;
    return Html.escape(text);
  }
}
