package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.LineChart;
import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import io.github.lucenedirectories.benchmarks.stats.Medians;
import io.github.lucenedirectories.benchmarks.traffic.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Latencies by rate, a chart for each column: how they rise until the server falls behind. */
final class LoadCurveSection implements HtmlSection {
  private static final double MILLIS = 1e6;

  /* From the lowest to the highest, each with a style of the page. */
  private static final Map<Tail, String> LINES =
      new TreeMap<>(Map.of(Tail.P50, "base", Tail.P99, "own", Tail.P99_9, "slower"));

  private final Map<String, List<LoadCell>> cells;
  private final double limitMillis;

  LoadCurveSection(Map<String, List<LoadCell>> cells, double limitMillis) {
    this.cells = cells;
    this.limitMillis = limitMillis;
  }

  @Override
  public void write(StringBuilder html) {
    html.append("<h2>Latency by rate</h2>\n<p class='note'>Grey: p50; blue: p99; red: p99.9; the ");
    html.append("straight line: the limit of p99, ").append(Numbers.rate(limitMillis));
    html.append(" ms. Across: requests a second. A point is the median over the forks that ");
    html.append("measured the rate, its bar reaches from the lowest to the highest. ");
    html.append("Milliseconds, logarithmic.</p>\n<div class='charts'>\n");
    cells.forEach((label, forks) -> chart(html, label, forks));
    html.append("</div>\n");
  }

  private void chart(StringBuilder html, String label, List<LoadCell> forks) {
    TreeMap<Double, List<Histogram>> rates = new TreeMap<>();
    for (LoadCell fork : forks) {
      for (StepResult step : fork.measured()) {
        rates.computeIfAbsent(step.perSecond(), r -> new ArrayList<>()).add(step.latencies());
      }
    }
    rates.values().removeIf(steps -> steps.stream().anyMatch(s -> s.getTotalCount() == 0));
    if (rates.isEmpty()) {
      return;
    }
    double first = rates.firstKey();
    double last = rates.lastKey();
    LineChart chart = new LineChart("ms", true, ticks(first, last));
    chart.add(
        "one", List.of(new Point(first, limitMillis, null), new Point(last, limitMillis, null)));
    LINES.forEach((tail, style) -> chart.add(style, points(rates, tail)));
    String heading = Html.escape(label);
    html.append("<figure><h3>").append(heading).append("</h3>");
    html.append(chart.svg(heading)).append("</figure>\n");
  }

  private static List<Tick> ticks(double first, double last) {
    List<Tick> ticks = new ArrayList<>(List.of(new Tick(first, Numbers.rate(first))));
    if (last > first) {
      double middle = (first + last) / 2;
      ticks.add(new Tick(middle, Numbers.rate(middle)));
      ticks.add(new Tick(last, Numbers.rate(last)));
    }
    return ticks;
  }

  private static List<Point> points(Map<Double, List<Histogram>> rates, Tail tail) {
    List<Point> points = new ArrayList<>();
    rates.forEach(
        (rate, steps) -> {
          List<Double> values =
              steps.stream()
                  .map(s -> s.getValueAtPercentile(tail.percent()) / MILLIS)
                  .sorted()
                  .toList();
          points.add(
              new Point(
                  rate, Medians.of(values), new Interval(values.getFirst(), values.getLast())));
        });
    return points;
  }
}
