package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.LineChart.Point;
import io.github.lucenedirectories.benchmarks.report.LineChart.Tick;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * An axis of percentiles that gives each further nine of the tail the same room: a percentile lies
 * at the logarithm of the share of values above it.
 */
final class TailAxis {
  static final String TITLE = "percentile";

  private static final double[] PERCENTILES = {50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99};
  private static final Map<Double, String> LABELS =
      Map.of(50.0, "p50", 90.0, "p90", 99.0, "p99", 99.9, "p99.9", 99.99, "p99.99");
  private static final double HUNDRED = 100;

  private TailAxis() {}

  /** From the median to the highest percentile that any of some latencies can tell of. */
  static List<Tick> ticks(List<List<Point>> lines) {
    double last =
        lines.stream()
            .filter(points -> !points.isEmpty())
            .mapToDouble(points -> points.get(points.size() - 1).x())
            .max()
            .orElse(place(HUNDRED / 2));
    List<Tick> ticks = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      if (place(percentile) <= last) {
        ticks.add(new Tick(place(percentile), LABELS.getOrDefault(percentile, "")));
      }
    }
    return ticks;
  }

  private static double place(double percentile) {
    return -Math.log10(1 - percentile / HUNDRED);
  }

  /**
   * The percentiles of one latency: the median over forks of each fork's own. They end where a fork
   * has no value above any more, since from there on all percentiles are its longest.
   *
   * @param forks encoded histograms
   * @param scale of one recorded unit
   */
  static List<Point> points(List<String> forks, double scale, long seed) {
    List<Histogram> histograms = forks.stream().map(EncodedHistogram::decode).toList();
    long fewest = histograms.stream().mapToLong(Histogram::getTotalCount).min().orElse(0);
    ForkStatistics statistics = new ForkStatistics(forks.size(), seed);
    List<Point> points = new ArrayList<>();
    for (double percentile : PERCENTILES) {
      if (fewest * (1 - percentile / HUNDRED) < 1 && !points.isEmpty()) {
        break;
      }
      double[] values =
          histograms.stream()
              .mapToDouble(h -> h.getValueAtPercentile(percentile) * scale)
              .toArray();
      if (fewest > 0 && Arrays.stream(values).allMatch(value -> value > 0)) {
        Estimate median = statistics.median(values);
        points.add(new Point(place(percentile), median.value(), median.interval95()));
      }
    }
    return points;
  }
}
