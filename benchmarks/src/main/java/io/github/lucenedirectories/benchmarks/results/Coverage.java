package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.statistics.inference.BinomialTest;
import org.apache.commons.statistics.interval.BinomialConfidenceInterval;

/**
 * How often intervals held the value that they were to hold, and whether that is as often as they
 * say, by the exact binomial test. The intervals must be independent of each other.
 */
public record Coverage(int held, int of) {
  private static final double LEVEL = 0.05;
  private static final double NOMINAL = 0.95;
  private static final String SEPARATOR = " #";
  private static final String RIGHT = "yes";

  public static final String MEANING =
      "The true ratio of a directory to itself is 1.00, and 95 of 100 intervals should hold it."
          + " Each comparison has JVMs of its own. Comparisons share the index and the machine but"
          + " no measured value, so they count as independent in the exact binomial test. The kinds"
          + " of one comparison are measured in the same JVMs and are not independent; each is"
          + " tested for itself, with an error of 5 in 100 for all kinds together.";

  public double share() {
    return (double) held / of;
  }

  public double probability() {
    return BinomialTest.withDefaults().test(of, held, NOMINAL).getPValue();
  }

  /**
   * The verdict for one of several tests that are made at once (Bonferroni), at {@value #LEVEL} for
   * all of them: {@value #RIGHT}, or how the intervals are.
   */
  public String verdict(int tests) {
    if (probability() >= LEVEL / tests) {
      return RIGHT;
    }
    return share() < NOMINAL ? "too narrow" : "wider than needed";
  }

  /** The shares that the number found agrees with: their 95 % interval (Clopper and Pearson). */
  public Interval interval95() {
    var found = BinomialConfidenceInterval.CLOPPER_PEARSON.fromErrorRate(of, held, LEVEL);
    return new Interval(found.getLowerBound(), found.getUpperBound());
  }

  /** The name of a kind's figure in one of many comparisons, which count from 1. */
  public static String task(String kind, int comparison) {
    return kind + SEPARATOR + comparison;
  }

  /**
   * Results of many comparisons of a directory with itself, whose tasks are named by {@link #task},
   * with a table and a verdict on their intervals.
   */
  public static Results checked(Results results) {
    Map<String, List<Interval>> kinds = new LinkedHashMap<>();
    for (Ratio ratio : results.ratios()) {
      if (ratio.interval95() != null) {
        String kind = ratio.task().substring(0, ratio.task().lastIndexOf(SEPARATOR));
        kinds.computeIfAbsent(kind, k -> new ArrayList<>()).add(ratio.interval95());
      }
    }
    List<List<String>> rows = new ArrayList<>();
    kinds.forEach((kind, intervals) -> rows.add(row(kind, intervals, kinds.size())));
    List<String> wrong =
        rows.stream()
            .filter(row -> !row.getLast().equals(RIGHT))
            .map(row -> row.getFirst() + " (" + row.getLast() + ")")
            .toList();
    return results
        .withTables(
            List.of(
                new Table(
                    "How often the 95 % intervals hold 1.00",
                    MEANING,
                    List.of(
                        "kind", "comparisons", "hold 1.00", "share", "95 % interval", "p", "right"),
                    rows)))
        .withVerdict(
            new Verdict(
                wrong.isEmpty(),
                List.of(
                    wrong.isEmpty()
                        ? "The 95 % intervals hold the true ratio as often as they say, in each of "
                            + rows.size()
                            + " kinds."
                        : "The 95 % intervals do not hold the true ratio as often as they say: "
                            + String.join(", ", wrong)
                            + ".")));
  }

  private static List<String> row(String kind, List<Interval> intervals, int kinds) {
    int held = (int) intervals.stream().filter(interval -> interval.contains(1)).count();
    Coverage coverage = new Coverage(held, intervals.size());
    Interval interval = coverage.interval95();
    return List.of(
        kind,
        Integer.toString(intervals.size()),
        Integer.toString(held),
        Numbers.percent(coverage.share()),
        Numbers.percent(interval.low()) + " to " + Numbers.percent(interval.high()),
        Numbers.text("%.3f", coverage.probability()),
        coverage.verdict(kinds));
  }
}
