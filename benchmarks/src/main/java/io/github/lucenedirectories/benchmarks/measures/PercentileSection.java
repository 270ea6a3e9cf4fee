package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.report.Html;
import io.github.lucenedirectories.benchmarks.report.HtmlSection;
import io.github.lucenedirectories.benchmarks.report.LineChart;
import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.report.Results;
import java.util.ArrayList;
import java.util.List;

/** The percentiles of one latency as lines: a chart for each directory beside the baseline. */
public final class PercentileSection implements HtmlSection {
  private final Results results;
  private final String title;
  private final List<Measure> percentiles;
  private final String baseline;
  private final List<String> directories;

  /**
   * @param title of the section
   * @param percentiles from the lowest to the highest, in milliseconds
   * @param directories that are shown beside the baseline
   */
  public PercentileSection(
      Results results,
      String title,
      List<Measure> percentiles,
      String baseline,
      List<String> directories) {
    this.results = results;
    this.title = title;
    this.percentiles = List.copyOf(percentiles);
    this.baseline = baseline;
    this.directories = List.copyOf(directories);
  }

  @Override
  public void write(StringBuilder html) {
    List<Point> base = points(baseline);
    if (base.isEmpty()) {
      return;
    }
    html.append("<h2>Percentiles: ").append(Html.escape(title)).append("</h2>\n");
    html.append("<p class='note'>Blue: the directory; grey: ").append(Html.escape(baseline));
    html.append(". A bar is the 95 % interval of the median over forks. Milliseconds, ");
    html.append("logarithmic.</p>\n<div class='charts'>\n");
    for (String directory : directories) {
      List<Point> points = points(directory);
      if (!directory.equals(baseline) && !points.isEmpty()) {
        LineChart chart = new LineChart("ms", true, ticks());
        chart.add("base", base);
        chart.add("own", points);
        String heading = Html.escape(directory);
        html.append("<figure><h3>").append(heading).append("</h3>");
        html.append(chart.svg(heading)).append("</figure>\n");
      }
    }
    html.append("</div>\n");
  }

  /** One step for each on the horizontal axis. */
  private List<Tick> ticks() {
    List<Tick> ticks = new ArrayList<>();
    for (int i = 0; i < percentiles.size(); i++) {
      ticks.add(new Tick(i, percentiles.get(i).heading()));
    }
    return ticks;
  }

  private List<Point> points(String directory) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < percentiles.size(); i++) {
      int place = i;
      results
          .result(directory, percentiles.get(i).task())
          .filter(result -> result.median() > 0)
          .ifPresent(r -> points.add(new Point(place, r.median(), r.interval95())));
    }
    return points;
  }
}
