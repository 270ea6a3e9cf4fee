package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ForkResultsTest {
  private static final long SEED = 1;

  @Test
  void aShorterTimeIsFaster() {
    ForkResults results = results("us", List.of(2.0, 2.0, 2.0), List.of(6.0, 6.0, 6.0));
    assertEquals(List.of("3.00", "[3.00, 3.00]"), results.ratioCells("ours", "task"));
    assertEquals("faster", results.asResults(Map.of()).ratios().getFirst().verdict());
  }

  @Test
  void aLowerRateIsSlower() {
    ForkResults results = results("MiB/s", List.of(2.0, 2.0, 2.0), List.of(4.0, 4.0, 4.0));
    assertEquals(List.of("0.50", "[0.50, 0.50]"), results.ratioCells("ours", "task"));
    assertEquals("slower", results.asResults(Map.of()).ratios().getFirst().verdict());
  }

  @Test
  void theBaselineHasNoRatioAndOneForkNoInterval() {
    ForkResults results = new ForkResults("work", 1, SEED);
    results.add("ours", "task", "us", List.of(2.0), List.of());
    results.add("theirs", "task", "us", List.of(3.0), List.of());
    results.compare("ours", "theirs", "task");
    assertEquals(List.of("1.50", ""), results.ratioCells("ours", "task"));
    assertEquals(List.of("", ""), results.ratioCells("theirs", "task"));
  }

  @Test
  void samplesAndRepetitionsAreKept() {
    ForkResults results = new ForkResults("work", 3, SEED);
    results.add(
        "ours", "task", "us", List.of(1.0, 3.0, 2.0), List.of(List.of(1.00000049), List.of()));
    Results.Result only = results.asResults(Map.of("fact", 1)).results().getFirst();
    assertEquals("work", only.workload());
    assertEquals(2, only.median());
    assertEquals(List.of(1.0, 3.0, 2.0), only.samples());
    assertEquals(List.of(List.of(1.0), List.of()), only.repetitions());
  }

  private static ForkResults results(String unit, List<Double> ours, List<Double> theirs) {
    ForkResults results = new ForkResults("work", ours.size(), SEED);
    results.add("ours", "task", unit, ours, List.of());
    results.add("theirs", "task", unit, theirs, List.of());
    results.compare("ours", "theirs", "task");
    return results;
  }
}
