package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.LineChart;
import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.report.Results;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import io.github.lucenedirectories.benchmarks.stats.Medians;
import java.util.ArrayList;
import java.util.List;

/** Queries per second over time: a chart for each directory beside the baseline. */
final class SpeedSection implements HtmlSection {
  private final Results results;
  private final String baseline;

  SpeedSection(Results results, String baseline) {
    this.results = results;
    this.baseline = baseline;
  }

  @Override
  public void write(StringBuilder html) {
    List<Point> base = points(baseline);
    if (base.isEmpty()) {
      return;
    }
    html.append("<h2>Queries per second over time</h2>\n<p class='note'>Blue: the directory; ");
    html.append("grey: ").append(Html.escape(baseline));
    html.append(". Each point is the median over forks of one second, its bar reaches from the ");
    html.append("slowest fork to the fastest. Seconds from the end of the warm-up on.</p>\n");
    html.append("<div class='charts'>\n");
    for (String directory : results.directories()) {
      List<Point> points = points(directory);
      if (!directory.equals(baseline) && !points.isEmpty()) {
        LineChart chart = new LineChart("queries/s", false, ticks(base, points));
        chart.add("base", base);
        chart.add("own", points);
        String heading = Html.escape(directory);
        html.append("<figure><h3>").append(heading).append("</h3>");
        html.append(chart.svg(heading)).append("</figure>\n");
      }
    }
    html.append("</div>\n");
  }

  private static List<Tick> ticks(List<Point> base, List<Point> points) {
    int last = Math.max(base.size(), points.size());
    List<Tick> ticks = new ArrayList<>(List.of(new Tick(1, "1")));
    if (last > 2) {
      int middle = (1 + last) / 2;
      ticks.add(new Tick(middle, Integer.toString(middle)));
    }
    ticks.add(new Tick(last, Integer.toString(last)));
    return ticks;
  }

  /** One for each second that every fork was measured for. */
  private List<Point> points(String directory) {
    List<List<Double>> forks =
        results
            .result(directory, NrtMeasures.SPEED.task())
            .map(Results.Result::repetitions)
            .orElse(List.of());
    int seconds = forks.stream().mapToInt(List::size).min().orElse(0);
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < seconds; i++) {
      int second = i;
      List<Double> values = forks.stream().map(fork -> fork.get(second)).sorted().toList();
      points.add(
          new Point(
              second + 1,
              Medians.of(values),
              new Interval(values.get(0), values.get(values.size() - 1))));
    }
    return points;
  }
}
