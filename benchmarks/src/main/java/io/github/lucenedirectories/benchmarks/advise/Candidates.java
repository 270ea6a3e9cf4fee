package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.limit.LimitMeasures;
import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.Figure;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** Takes the candidates out of what was measured: everything but the baseline and its double. */
final class Candidates {
  private static final String BASELINE = Entry.BASELINE.label();
  private static final String AGAIN = Entry.AGAIN.label();

  private final Results rates;
  private final Map<String, Measured> measured = new LinkedHashMap<>();
  private final KnownTails tails;
  private final ForkStatistics statistics;

  /**
   * @param rates of the kinds, compared with the baseline
   * @param columns the other measures of all forks
   * @param tails which of them have percentiles that mean something
   * @param forks of each column, two or more
   */
  Candidates(Results rates, List<Measured> columns, KnownTails tails, int forks, long seed) {
    this.rates = rates;
    columns.forEach(column -> measured.put(column.label(), column));
    this.tails = tails;
    this.statistics = new ForkStatistics(forks, seed);
  }

  List<Candidate> of(List<Entry> entries) {
    return entries.stream()
        .filter(entry -> !entry.equals(Entry.BASELINE) && !entry.equals(Entry.AGAIN))
        .map(this::candidate)
        .toList();
  }

  private Candidate candidate(Entry entry) {
    String label = entry.label();
    Mean mean = mean(label);
    Map<String, Comparison> kinds = new LinkedHashMap<>();
    for (String kind : rates.tasks()) {
      Results.Ratio ratio = rates.ratio(label, BASELINE, kind).orElseThrow();
      Results.Ratio again = rates.ratio(AGAIN, BASELINE, kind).orElseThrow();
      kinds.put(
          kind,
          new Comparison(ratio.ratio(), known(ratio.interval95()), known(again.interval95())));
    }
    return new Candidate(
        // Columns chooses from these alone.
        (BenchmarkDirectory) entry.directory(),
        new Comparison(mean.ratio(), known(mean.interval95()), noise()),
        high(label),
        kinds,
        median(label, LimitMeasures.OPEN).orElseThrow(),
        median(label, Beside.ANONYMOUS));
  }

  /** The interval of the baseline's rates against themselves. */
  Interval noise() {
    return known(mean(AGAIN).interval95());
  }

  /** The median of a measure over a column's forks; empty where the system does not tell it. */
  OptionalDouble median(String label, Measure measure) {
    List<Map<Measure, Figure>> forks = forks(label);
    if (!forks.stream().allMatch(fork -> fork.containsKey(measure))) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(statistics.median(values(forks, measure)).value());
  }

  private Mean mean(String label) {
    return rates.means().stream()
        .filter(mean -> mean.directory().equals(label) && mean.baseline().equals(BASELINE))
        .findFirst()
        .orElseThrow();
  }

  private @Nullable Comparison high(String label) {
    List<String> kinds =
        rates.tasks().stream()
            .filter(kind -> tails.areKnown(kind, label, BASELINE, AGAIN))
            .toList();
    if (kinds.isEmpty()) {
      return null;
    }
    Map<String, double[]> baseline = highs(BASELINE, kinds);
    Estimate high = statistics.ratios(highs(label, kinds), baseline).mean();
    Estimate again = statistics.ratios(highs(AGAIN, kinds), baseline).mean();
    return new Comparison(high.value(), known(high.interval95()), known(again.interval95()));
  }

  private Map<String, double[]> highs(String label, List<String> kinds) {
    Map<String, double[]> highs = new LinkedHashMap<>();
    for (String kind : kinds) {
      highs.put(kind, values(forks(label), LimitMeasures.high(kind)));
    }
    return highs;
  }

  private List<Map<Measure, Figure>> forks(String label) {
    return Objects.requireNonNull(measured.get(label), label).forks();
  }

  private static double[] values(List<Map<Measure, Figure>> forks, Measure measure) {
    return forks.stream()
        .mapToDouble(fork -> Objects.requireNonNull(fork.get(measure), measure.task()).value())
        .toArray();
  }

  private static Interval known(@Nullable Interval interval) {
    return Objects.requireNonNull(interval, "two forks have an interval");
  }
}
