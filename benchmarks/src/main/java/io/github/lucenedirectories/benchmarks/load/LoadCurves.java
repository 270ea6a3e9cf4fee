package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.traffic.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Latencies by rate of each column: how they rise until the server falls behind. Where a server was
 * asked at a rate several times, the last counts, when it was the warmest.
 */
final class LoadCurves {
  private static final double MILLIS = 1e6;

  private final Map<String, List<LoadCell>> cells;
  private final double limitMillis;

  /**
   * @param cells of each column
   * @param limitMillis what p99 must keep
   */
  LoadCurves(Map<String, List<LoadCell>> cells, double limitMillis) {
    this.cells = cells;
    this.limitMillis = limitMillis;
  }

  List<Results.Series> series() {
    List<Results.Series> all = new ArrayList<>();
    for (Tail tail : Tail.values()) {
      cells.forEach((label, forks) -> all.add(series(label, forks, tail)));
    }
    return all;
  }

  private Results.Series series(String label, List<LoadCell> forks, Tail tail) {
    TreeMap<Double, List<Double>> rates = new TreeMap<>();
    for (LoadCell fork : forks) {
      Map<Double, Double> last = new TreeMap<>();
      for (StepResult step : fork.measured()) {
        Histogram latencies = step.latencies();
        if (latencies.getTotalCount() > 0) {
          last.put(step.perSecond(), latencies.getValueAtPercentile(tail.percent()) / MILLIS);
        }
      }
      last.forEach((rate, value) -> rates.computeIfAbsent(rate, r -> new ArrayList<>()).add(value));
    }
    List<Results.At> points = new ArrayList<>();
    rates.forEach((rate, values) -> points.add(new Results.At(rate, values)));
    @Nullable Double limit = tail == Tail.P99 ? limitMillis : null;
    return new Results.Series(
        LoadCommand.NAME, label, "latency " + tail.label(), "requests/s", "ms", limit, points);
  }
}
