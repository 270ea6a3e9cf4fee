package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.report.Chart.Bar;
import io.github.lucenedirectories.benchmarks.report.Chart.Line;
import io.github.lucenedirectories.benchmarks.report.Chart.Lines;
import io.github.lucenedirectories.benchmarks.report.Chart.Point;
import io.github.lucenedirectories.benchmarks.report.Chart.Tick;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A chart as a file of its own, for slides: SVG with its title, on white. */
final class SvgChart {
  private static final int WIDTH = 480;
  private static final int LEFT_BARS = 170;
  private static final int LEFT_LINES = 56;
  private static final int RIGHT = 20;
  private static final int TOP = 40;
  private static final int ROW = 18;
  private static final int PLOT = 200;
  private static final int MOST_BARS = 20;
  private static final double[] STEPS = {1, 2, 5};
  private static final double[] NEAR_ONE = {0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2};
  private static final List<String> COLOURS =
      List.of(
          "#596273", "#0072b2", "#c94f00", "#00805f", "#a83e8f", "#8a6d00", "#2a83a8", "#7a1f4f");

  private final Chart chart;
  private final int left;
  private final int bottom;
  private final StringBuilder text = new StringBuilder();
  private final Formatter svg = new Formatter(text, Locale.ROOT);

  private SvgChart(Chart chart) {
    this.chart = chart;
    this.left = chart.lines() == null ? LEFT_BARS : LEFT_LINES;
    this.bottom = TOP + (chart.lines() == null ? chart.bars().size() * ROW : PLOT);
  }

  /** The content of the file. */
  static String of(Chart chart) {
    return new SvgChart(chart).draw();
  }

  private String draw() {
    Lines lines = chart.lines();
    int height = bottom + 40 + (lines == null ? 0 : 16 * lines.lines().size());
    svg.format(
        "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d'>%n"
            + "<style>text{font:12px system-ui,'DejaVu Sans',sans-serif;fill:#1c2330}"
            + "polyline{fill:none;stroke-width:2}</style>%n<rect width='%d' height='%d'"
            + " fill='#fff'/>%n",
        2 * WIDTH, 2 * height, WIDTH, height, WIDTH, height);
    label(8, 20, "start' font-weight='600", chart.title());
    if (lines == null) {
      bars();
      label((left + WIDTH) / 2.0, bottom + 34, "middle", chart.note());
    } else {
      lines(lines);
    }
    return svg.format("</svg>%n").toString();
  }

  private void label(double x, double y, String anchor, String words) {
    svg.format(
        "<text x='%.1f' y='%.1f' text-anchor='%s'>%s</text>%n", x, y, anchor, Page.escape(words));
  }

  private void line(double x1, double y1, double x2, double y2, String style) {
    svg.format("<path d='M%.1f %.1fL%.1f %.1f' stroke='%s'/>%n", x1, y1, x2, y2, style);
  }

  /** The share of the axis of values below a value. */
  private double share(double value) {
    double inside = Math.clamp(value, chart.low(), chart.high());
    return chart.logarithmic()
        ? Math.log(inside / chart.low()) / Math.log(chart.high() / chart.low())
        : (inside - chart.low()) / (chart.high() - chart.low());
  }

  private double across(double share) {
    return left + share * (WIDTH - left - RIGHT);
  }

  private double up(double value) {
    return bottom - share(value) * (bottom - TOP);
  }

  private void bars() {
    for (double tick : ticks()) {
      double x = across(share(tick));
      line(x, TOP, x, bottom + 4, tick == 1 ? "#1c2330" : "#d7dce4");
      label(x, bottom + 17, "middle", Numbers.tick(tick));
    }
    double y = TOP + ROW / 2.0;
    for (Bar bar : chart.bars()) {
      String colour =
          switch (bar.verdict()) {
            case "faster" -> "#0062a3";
            case "slower" -> "#b34700";
            default -> COLOURS.get(0);
          };
      label(left - 8, y + 4, "end", bar.label());
      if (bar.low() != null && bar.high() != null) {
        double from = across(share(bar.low()));
        line(from, y, across(share(bar.high())), y, colour + "' stroke-width='3");
      }
      circle(across(share(bar.value())), y, 4, colour);
      y += ROW;
    }
  }

  private void circle(double x, double y, int radius, String colour) {
    svg.format("<circle cx='%.1f' cy='%.1f' r='%d' fill='%s'/>%n", x, y, radius, colour);
  }

  private void lines(Lines lines) {
    for (double tick : ticks()) {
      line(left, up(tick), WIDTH - RIGHT, up(tick), "#d7dce4");
      label(left - 6, up(tick) + 4, "end", Numbers.tick(tick));
    }
    double first = lines.ticks().get(0).x();
    double last = lines.ticks().get(lines.ticks().size() - 1).x();
    for (Tick tick : lines.ticks()) {
      label(x(tick.x(), first, last), bottom + 17, "middle", tick.label());
    }
    label((left + WIDTH) / 2.0, bottom + 34, "middle", lines.along() + " (" + lines.unit() + ")");
    @Nullable Double limit = lines.limit();
    if (limit != null) {
      line(left, up(limit), WIDTH - RIGHT, up(limit), "#b34700' stroke-dasharray='5 3");
    }
    double legend = bottom + 52;
    for (Line each : lines.lines()) {
      String colour = COLOURS.get(each.style() % COLOURS.size());
      boolean few = each.points().size() <= MOST_BARS;
      String corners =
          each.points().stream()
              .map(p -> String.format(Locale.ROOT, "%.1f,%.1f", x(p.x(), first, last), up(p.y())))
              .collect(Collectors.joining(" "));
      svg.format("<polyline points='%s' stroke='%s'/>%n", corners, colour);
      for (Point p : each.points()) {
        double x = x(p.x(), first, last);
        if (few && p.low() != null && p.high() != null) {
          line(x, up(p.low()), x, up(p.high()), colour + "' opacity='.5");
        }
        circle(x, up(p.y()), few ? 3 : 1, colour);
      }
      line(left, legend - 4, left + 24, legend - 4, colour + "' stroke-width='2");
      label(left + 32, legend, "start", each.label());
      legend += 16;
    }
  }

  private double x(double value, double first, double last) {
    return across(last > first ? 0.03 + 0.94 * (value - first) / (last - first) : 0.5);
  }

  /** Round values along the axis of values, as many as have room. */
  private List<Double> ticks() {
    double low = chart.low();
    double high = chart.high();
    List<Double> ticks = new ArrayList<>();
    if (chart.logarithmic() && chart.lines() == null && high / low < 5) {
      Arrays.stream(NEAR_ONE).filter(t -> t >= low && t <= high).forEach(ticks::add);
      return ticks;
    }
    if (!chart.logarithmic()) {
      double step = Math.pow(10, Math.floor(Math.log10(high / 2)));
      for (double tick = 0; tick <= high; tick += high / step > 5 ? 2 * step : step) {
        ticks.add(tick);
      }
      return ticks;
    }
    for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
      for (double step : STEPS) {
        double tick = power * step;
        if (tick >= low && tick <= high && (step == 1 || high / low < 1000)) {
          ticks.add(tick);
        }
      }
    }
    return ticks;
  }
}
