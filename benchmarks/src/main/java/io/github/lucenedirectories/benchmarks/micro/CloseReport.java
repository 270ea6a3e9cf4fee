package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** Percentiles of closes: over all of a directory's, and fork by fork with intervals. */
final class CloseReport {
  private static final String UNIT = "us";
  private static final double NANOS_A_UNIT = 1e3;
  private static final int DIGITS = 3;
  private static final double MIDDLE = 50;
  private static final double SLOW = 99;
  private static final double[] SHOWN = {MIDDLE, 90, SLOW, 99.9, 100};

  private final Map<DirectoryKind, List<CloseTimes>> times;
  private final ForkResults forkResults;
  private final List<String> tasks = new ArrayList<>();

  /** One of the three things that each close is measured by. */
  private enum Measure {
    WALL("close", CloseTimes::wall),
    CPU("CPU of close", CloseTimes::cpu),
    WAKE_UP("wake-up", CloseTimes::wakeUps);

    private final String label;
    private final Function<CloseTimes, List<Long>> nanos;

    Measure(String label, Function<CloseTimes, List<Long>> nanos) {
      this.label = label;
      this.nanos = nanos;
    }

    String task(double percentile) {
      return label + " p" + (int) percentile;
    }
  }

  /**
   * A report on directories, the baseline among them.
   *
   * @param times one for each fork in the order of the rounds
   * @param seed of the resampling
   */
  CloseReport(Map<DirectoryKind, List<CloseTimes>> times, int forks, long seed) {
    this.times = times;
    this.forkResults = new ForkResults(CloseReaderJob.NAME, forks, seed);
    for (Measure measure : Measure.values()) {
      add(measure, MIDDLE, true);
      add(measure, SLOW, false);
    }
  }

  private void add(Measure measure, double percentile, boolean repetitions) {
    String task = measure.task(percentile);
    tasks.add(task);
    times.forEach(
        (kind, forks) ->
            forkResults.add(
                kind.className(),
                task,
                UNIT,
                forks.stream()
                    .map(fork -> percentile(histogram(List.of(fork), measure), percentile))
                    .toList(),
                repetitions
                    ? forks.stream().map(fork -> units(measure.nanos.apply(fork))).toList()
                    : List.of()));
    for (DirectoryKind kind : times.keySet()) {
      if (kind != DirectoryKind.BASELINE) {
        forkResults.compare(kind.className(), DirectoryKind.BASELINE.className(), task);
      }
    }
  }

  private static Histogram histogram(List<CloseTimes> forks, Measure measure) {
    Histogram histogram = new Histogram(DIGITS);
    forks.forEach(fork -> measure.nanos.apply(fork).forEach(histogram::recordValue));
    return histogram;
  }

  /** Never zero, which has no ratio: at least a nanosecond. */
  private static double percentile(Histogram histogram, double percentile) {
    return Math.max(1, histogram.getValueAtPercentile(percentile)) / NANOS_A_UNIT;
  }

  private static List<Double> units(List<Long> nanos) {
    return nanos.stream().map(n -> n / NANOS_A_UNIT).toList();
  }

  /** Every sample, with the facts about where it was measured. */
  Results results(Map<String, Object> environment) {
    return forkResults.asResults(environment);
  }

  /** The tables for a person. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("All closes of all JVMs together, microseconds");
    lines.addAll(percentiles().lines());
    lines.add("");
    lines.add(
        "Median over JVMs, +- half its 95 % interval; in brackets the interval of the speed"
            + " relative to "
            + DirectoryKind.BASELINE.className());
    lines.addAll(medians().lines());
    return lines;
  }

  private TextTable percentiles() {
    TextTable table = new TextTable();
    table.add(List.of("", "", "p50", "p90", "p99", "p99.9", "most"));
    times.forEach(
        (kind, forks) -> {
          for (Measure measure : Measure.values()) {
            Histogram histogram = histogram(forks, measure);
            List<String> row = new ArrayList<>(List.of(kind.className(), measure.label));
            for (double percentile : SHOWN) {
              row.add(Numbers.rate(percentile(histogram, percentile)));
            }
            table.add(row);
          }
        });
    return table;
  }

  private TextTable medians() {
    TextTable table = new TextTable();
    table.add(List.of("", "", UNIT, "", "speed", ""));
    for (String task : tasks) {
      for (DirectoryKind kind : times.keySet()) {
        Result result = forkResults.result(kind.className(), task);
        List<String> row =
            new ArrayList<>(
                List.of(
                    task,
                    kind.className(),
                    Numbers.rate(result.median()),
                    Numbers.plusMinusPercent(result.median(), result.interval95())));
        row.addAll(forkResults.ratioCells(kind.className(), task));
        table.add(row);
      }
    }
    return table;
  }
}
