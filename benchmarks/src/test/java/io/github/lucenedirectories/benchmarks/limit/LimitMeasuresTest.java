package io.github.lucenedirectories.benchmarks.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The figures of samples whose truth is known. */
class LimitMeasuresTest {

  @Test
  void figuresHaveTheirUnits() {
    Histogram latencies = new Histogram(EncodedHistogram.DIGITS);
    latencies.recordValueWithCount(4_000_000, 100);
    KindSamples kind =
        new KindSamples(
            EncodedHistogram.encode(latencies),
            100,
            10,
            new ProcessCounters(300L, 50L, 409_600L, null),
            0.02,
            Map.of());
    Opening opening = new Opening(0.25, kind.reads());
    Footprint footprint = new Footprint(64L << 20, 32L << 20, 7L);
    Measured measured =
        LimitMeasures.measured(
            "Column",
            List.of(
                new LimitSamples(
                    Map.of("Term", kind), List.of(opening), null, footprint, 128L << 20)));
    assertEquals(250, value(measured, "open"));
    assertEquals(4, value(measured, "Term p50"), 0.01);
    assertEquals(3, value(measured, "Term minor faults"));
    assertEquals(0.5, value(measured, "Term faults"));
    assertEquals(4, value(measured, "Term read"));
    assertEquals(2, value(measured, "Term pauses, all"));
    assertEquals(64, value(measured, "resident memory"));
    assertEquals(32, value(measured, "anonymous memory"));
    assertEquals(7, value(measured, "mappings"));
    assertEquals(128, value(measured, "peak memory"));
  }

  private static double value(Measured measured, String task) {
    return measured.forks().get(0).entrySet().stream()
        .filter(figure -> figure.getKey().task().equals(task))
        .mapToDouble(figure -> figure.getValue().value())
        .findFirst()
        .orElseThrow();
  }
}
