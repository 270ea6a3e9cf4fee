package io.github.lucenedirectories.benchmarks.nrt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.directories.WritableDirectory;
import io.github.lucenedirectories.benchmarks.measures.Figure;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.meter.Operation;
import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import io.github.lucenedirectories.benchmarks.watch.Pauses;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import io.github.lucenedirectories.benchmarks.watch.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class NrtMeasuresTest {
  private static final WritableColumn COLUMN =
      new WritableColumn("RamDirectory", WritableDirectory.RAM, true);
  private static final int VALUES = 2000;

  /** A histogram of 1 to 2000 microseconds, one each. */
  private static Histogram steps() {
    Histogram histogram = new Histogram(EncodedHistogram.DIGITS);
    for (int i = 1; i <= VALUES; i++) {
      histogram.recordValue(i * 1000L);
    }
    return histogram;
  }

  private static NrtSamples samples(long updates, long reopens) {
    return new NrtSamples(
        "ADirectory",
        4,
        Map.of(Latency.REOPEN, EncodedHistogram.encode(steps())),
        List.of(10, 30, 20, 40),
        List.of(5_000_000L, 0L, 3_000_000L, 7_000_000L),
        100,
        updates,
        reopens,
        new OwnTime(Map.of(Operation.WRITE, 8_000L), Map.of(Operation.WRITE, 2L)),
        20,
        9,
        new Span(
            4,
            new Pauses(2, 12_000_000, 9_000_000),
            Pauses.NONE,
            Pauses.NONE,
            new ProcessCounters(400L, null, 0L, 0L),
            new Footprint(3L << 20, null, null)));
  }

  private static Map<String, Figure> figures(NrtSamples fork) {
    Map<String, Figure> figures = new LinkedHashMap<>();
    NrtMeasures.measured(COLUMN, List.of(fork))
        .forks()
        .get(0)
        .forEach((Measure measure, Figure figure) -> figures.put(measure.task(), figure));
    return figures;
  }

  @Test
  void figuresAreInTheirUnits() {
    Map<String, Figure> figures = figures(samples(4000, 4));
    assertEquals(1.0, value(figures, "reopen p50"), 0.001);
    assertEquals(1.8, value(figures, "reopen p90"), 0.002);
    assertEquals(1.98, value(figures, "reopen p99"), 0.002);
    assertEquals(1.998, value(figures, "reopen p99.9"), 0.002);
    assertEquals(25, value(figures, "queries per second"));
    assertEquals(List.of(10.0, 30.0, 20.0, 40.0), figure(figures, "queries per second").parts());
    assertEquals(1000, value(figures, "updates per second"));
    assertEquals(2, value(figures, "own part of reopen, write"));
    assertEquals(5, value(figures, "garbage collection"));
    assertEquals(3, value(figures, "pauses, all"));
    assertEquals(9, value(figures, "pauses, longest"));
    assertEquals(100, value(figures, "minor faults"));
    assertEquals(3, value(figures, "resident memory"));
    assertTrue(!figures.containsKey("major faults"), "the system did not tell");
    assertTrue(!figures.containsKey("query p50"), "nothing was recorded of it");
  }

  private static double value(Map<String, Figure> figures, String task) {
    return figure(figures, task).value();
  }

  private static Figure figure(Map<String, Figure> figures, String task) {
    return Objects.requireNonNull(figures.get(task), task);
  }

  @Test
  void histogramsSurviveAsText() {
    Histogram histogram = steps();
    assertEquals(histogram, EncodedHistogram.decode(EncodedHistogram.encode(histogram)));
  }

  @Test
  void whatTheFiguresCannotTellIsSaid() {
    List<String> late =
        NrtMeasures.remarks(Map.of(COLUMN, List.of(samples(4000, 40), samples(2000, 50))), 1000);
    assertEquals(
        List.of(
            "Reopens: at least 90 of each directory.",
            "Percentiles are taken in each fork: of 40 reopens p99.9 and p99 are the longest.",
            "RamDirectory: the rate of updates was not kept: 500 of 1,000 a second."),
        late);
    List<String> kept = NrtMeasures.remarks(Map.of(COLUMN, List.of(samples(3999, 3000))), 1000);
    assertEquals(List.of("Reopens: at least 3000 of each directory."), kept);
  }
}
