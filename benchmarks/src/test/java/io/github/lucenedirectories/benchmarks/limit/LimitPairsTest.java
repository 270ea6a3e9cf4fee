package io.github.lucenedirectories.benchmarks.limit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.compare.Analysis;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.watch.Footprint;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is compared of samples whose truth is known. */
class LimitPairsTest {
  private static final int FORKS = 3;

  private final Map<String, List<LimitSamples>> samples = new LinkedHashMap<>();

  /** The middle fork is the median, and the last one an outlier upwards. */
  private void column(String label, double term, double stored) {
    List<LimitSamples> forks = new ArrayList<>();
    for (double factor : new double[] {1, 1, label.equals("slow") ? 1000 : 1}) {
      forks.add(
          new LimitSamples(
              Map.of("Term", kind(term * factor), "Stored", kind(stored * factor)),
              List.of(),
              null,
              new Footprint(null, null, null),
              null));
    }
    samples.put(label, forks);
  }

  private static KindSamples kind(double rate) {
    return new KindSamples(
        "", (long) (10 * rate), 10, new ProcessCounters(null, null, null, null), 0, Map.of());
  }

  @Test
  void theBestBaselineIsChosenForEachKindByItsMedian() {
    column("first", 100, 10);
    column("first (again)", 100, 10);
    column("slow", 50, 5);
    column("second", 40, 80);
    column("ours", 90, 60);
    Analysis analysis =
        new LimitPairs(samples, List.of("first", "slow", "second")).analyse(FORKS, 1);
    assertEquals(0.9, ratio(analysis, "ours", LimitPairs.BEST, "Term"), 1e-9);
    assertEquals(0.75, ratio(analysis, "ours", LimitPairs.BEST, "Stored"), 1e-9);
    assertEquals(6, ratio(analysis, "ours", "first", "Stored"), 1e-9);
    assertEquals(0.75, ratio(analysis, "ours", "second", "Stored"), 1e-9);
    assertEquals(
        List.of("first (again)", "ours"),
        analysis.means().stream()
            .filter(mean -> mean.baseline().equals(LimitPairs.BEST))
            .map(mean -> mean.directory())
            .toList());
  }

  private static double ratio(Analysis analysis, String label, String other, String kind) {
    return analysis.ratios().stream()
        .filter(r -> r.directory().equals(label) && r.baseline().equals(other))
        .filter(r -> r.task().equals(kind))
        .mapToDouble(Ratio::ratio)
        .findFirst()
        .orElseThrow();
  }
}
