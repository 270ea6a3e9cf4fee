package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.LineChart;
import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.report.Results;
import java.util.ArrayList;
import java.util.List;

/** The percentiles of one latency as lines: a chart for each directory beside the baseline. */
final class PercentileSection implements HtmlSection {
  private static final List<Percentile> PERCENTILES = List.of(Percentile.values());
  private static final List<Tick> TICKS =
      PERCENTILES.stream().map(p -> new Tick(place(p), p.label())).toList();

  private final Results results;
  private final Latency latency;
  private final String baseline;

  PercentileSection(Results results, Latency latency, String baseline) {
    this.results = results;
    this.latency = latency;
    this.baseline = baseline;
  }

  @Override
  public void write(StringBuilder html) {
    List<Point> base = points(baseline);
    if (base.isEmpty()) {
      return;
    }
    html.append("<h2>Percentiles: ").append(Html.escape(latency.label())).append("</h2>\n");
    html.append("<p class='note'>Blue: the directory; grey: ").append(Html.escape(baseline));
    html.append(". A bar is the 95 % interval of the median over forks. Milliseconds, ");
    html.append("logarithmic.</p>\n<div class='charts'>\n");
    for (String directory : results.directories()) {
      List<Point> points = points(directory);
      if (!directory.equals(baseline) && !points.isEmpty()) {
        LineChart chart = new LineChart("ms", true, TICKS);
        chart.add("base", base);
        chart.add("own", points);
        String heading = Html.escape(directory);
        html.append("<figure><h3>").append(heading).append("</h3>");
        html.append(chart.svg(heading)).append("</figure>\n");
      }
    }
    html.append("</div>\n");
  }

  private List<Point> points(String directory) {
    List<Point> points = new ArrayList<>();
    for (Percentile percentile : PERCENTILES) {
      results
          .result(directory, NrtMeasures.of(latency, percentile).task())
          .filter(result -> result.median() > 0)
          .ifPresent(r -> points.add(new Point(place(percentile), r.median(), r.interval95())));
    }
    return points;
  }

  /** One step for each on the horizontal axis. */
  private static double place(Percentile percentile) {
    return PERCENTILES.indexOf(percentile);
  }
}
