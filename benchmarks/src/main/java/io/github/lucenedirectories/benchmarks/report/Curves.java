// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.report;

import io.github.lucenedirectories.benchmarks.report.Chart.Line;
import io.github.lucenedirectories.benchmarks.report.Chart.Lines;
import io.github.lucenedirectories.benchmarks.report.Chart.Point;
import io.github.lucenedirectories.benchmarks.report.Chart.Tick;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.At;
import io.github.lucenedirectories.benchmarks.results.Results.Latencies;
import io.github.lucenedirectories.benchmarks.results.Results.Series;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The charts of lines that results hold: along a load, and percentiles. Charts of one unit share
 * the axis of values.
 */
final class Curves {
  private static final String MILLIS = "ms";
  private static final double NANOS_IN_MILLI = 1e6;

  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  private static final Map<Double, String> LABELS =
      Map.of(50.0, "p50", 90.0, "p90", 99.0, "p99", 99.9, "p99.9", 99.99, "p99.99");
  private static final double HUNDRED = 100;

  /** Of an interval that reaches further from its value, only so much counts for the axis. */
  private static final double MOST_REACH = 2;

  private static final double ROOM = 1.05;
  private static final long SEED = 42;

  private final Results results;
  private final List<String> directories;
  private final List<Chart> all = new ArrayList<>();

  private Curves(Results results) {
    this.results = results;
    this.directories = results.directories();
    series();
    percentiles();
  }

  static List<Chart> of(Results results) {
    return scaled(new Curves(results).all);
  }

  private void add(
      String group,
      String title,
      String note,
      String along,
      String unit,
      List<Tick> ticks,
      @Nullable Double limit,
      Map<String, List<Point>> points) {
    List<Line> lines = new ArrayList<>();
    for (String directory : directories) {
      List<Point> found =
          points.getOrDefault(directory, List.of()).stream()
              .sorted(Comparator.comparingDouble(Point::x))
              .toList();
      if (!found.isEmpty()) {
        lines.add(new Line(directory, directories.indexOf(directory), found));
      }
    }
    if (!lines.isEmpty()) {
      String capital = Character.toUpperCase(title.charAt(0)) + title.substring(1);
      Lines drawn = new Lines(along, unit, ticks, limit, lines);
      all.add(new Chart(group, capital, note, 0, 0, List.of(), drawn));
    }
  }

  private void series() {
    Map<List<String>, List<Series>> topics =
        results.series().stream()
            .collect(
                Collectors.groupingBy(
                    s -> List.of(s.along(), s.task(), s.unit()),
                    LinkedHashMap::new,
                    Collectors.toList()));
    for (List<Series> topic : topics.values()) {
      Series first = topic.get(0);
      Map<String, List<Point>> points = new LinkedHashMap<>();
      topic.forEach(
          s -> points.put(s.directory(), s.points().stream().map(Curves::point).toList()));
      add(
          "By " + first.along(),
          first.task(),
          "median over JVMs; bars from the lowest JVM to the highest",
          first.along(),
          first.unit(),
          List.of(),
          topic.stream().map(Series::limit).filter(Objects::nonNull).findFirst().orElse(null),
          points);
    }
  }

  private static Point point(At at) {
    double[] sorted = at.values().stream().mapToDouble(v -> v).sorted().toArray();
    Interval range = sorted.length == 1 ? null : new Interval(sorted[0], sorted[sorted.length - 1]);
    return Point.of(at.x(), Medians.of(sorted), range);
  }

  private void percentiles() {
    for (String task : results.latencies().stream().map(Latencies::task).distinct().toList()) {
      Map<String, List<Point>> points = new LinkedHashMap<>();
      results.latencies().stream()
          .filter(l -> l.task().equals(task))
          .forEach(l -> points.put(l.directory(), percentiles(l.forks())));
      double last =
          points.values().stream()
              .flatMap(List::stream)
              .mapToDouble(Point::x)
              .max()
              .orElse(place(PERCENTILES[0]));
      List<Tick> ticks =
          Arrays.stream(PERCENTILES)
              .filter(p -> place(p) <= last)
              .mapToObj(p -> new Tick(place(p), LABELS.getOrDefault(p, "")))
              .toList();
      String note =
          "median over JVMs of each one's percentile, with its 95 % interval; lines end where a JVM"
              + " has no value above";
      add("Percentiles", task, note, "percentile", MILLIS, ticks, null, points);
    }
  }

  /** Each further nine of the tail has the same room. */
  static double place(double percentile) {
    return -Math.log10(1 - percentile / HUNDRED);
  }

  /**
   * The percentiles of one latency in milliseconds: the median over forks of each fork's own. They
   * end where a fork has no value above, since from there on all percentiles are its longest.
   */
  private List<Point> percentiles(List<String> forks) {
    List<Histogram> histograms = forks.stream().map(Recorded::decode).toList();
    long fewest = histograms.stream().mapToLong(Histogram::getTotalCount).min().orElse(0);
    ForkStatistics statistics = new ForkStatistics(forks.size(), SEED);
    List<Point> points = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      if (fewest * (1 - percentile / HUNDRED) < 1 && !points.isEmpty()) {
        break;
      }
      double[] values =
          histograms.stream()
              .mapToDouble(h -> h.getValueAtPercentile(percentile) / NANOS_IN_MILLI)
              .toArray();
      if (fewest > 0 && Arrays.stream(values).allMatch(value -> value > 0)) {
        Estimate median = statistics.median(values);
        points.add(Point.of(place(percentile), median.value(), median.interval95()));
      }
    }
    return points;
  }

  /** The same charts, where those of the same group and unit have the same axis of values. */
  private static List<Chart> scaled(List<Chart> charts) {
    return charts.stream()
        .map(
            chart -> {
              List<Chart> same =
                  charts.stream().filter(c -> scale(c).equals(scale(chart))).toList();
              double high = Chart.ends(same, false, MOST_REACH).max().orElse(1) * ROOM;
              double low = Chart.ends(same, true, MOST_REACH).min().orElse(high / 2) / ROOM;
              return chart.scaled(low, high);
            })
        .toList();
  }

  private static List<Object> scale(Chart chart) {
    return List.of(chart.group(), Objects.requireNonNull(chart.lines()).unit());
  }
}
