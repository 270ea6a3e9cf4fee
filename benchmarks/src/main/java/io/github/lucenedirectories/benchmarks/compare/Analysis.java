package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Ratios;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes medians, ratios and means of a comparison's rates. Which pairs are compared is told it. */
public final class Analysis {
  static final String UNIT = "queries/s";

  /**
   * A directory is not called as good as another if a kind's corrected interval lies below this.
   */
  static final double BOUND = 0.97;

  private final String workload;
  private final Map<String, List<SearchSamples>> samples;
  private final ForkStatistics statistics;
  private final List<Ratio> ratios = new ArrayList<>();
  private final List<Mean> means = new ArrayList<>();

  /**
   * @param workload its name in the results
   * @param samples of every column by its label, one a fork
   * @param seed of the resampling
   */
  public Analysis(String workload, Map<String, List<SearchSamples>> samples, int forks, long seed) {
    this.workload = workload;
    this.samples = samples;
    this.statistics = new ForkStatistics(forks, seed);
  }

  /** Compares a column with another. */
  public void compare(String label, String otherLabel) {
    compare(label, otherLabel, rates(otherLabel));
  }

  /**
   * Compares a column with rates that are put together of those of others.
   *
   * @param others for each kind one value a fork
   */
  public void compare(String label, String otherLabel, Map<String, double[]> others) {
    Ratios found = statistics.ratios(rates(label), others);
    found
        .kinds()
        .forEach(
            (kind, estimate) ->
                ratios.add(
                    Ratio.of(workload, label, otherLabel, kind, estimate, estimate.verdict())));
    means.add(mean(label, otherLabel, found));
  }

  /** All that was compared, in that order. */
  public List<Ratio> ratios() {
    return List.copyOf(ratios);
  }

  /** One for each pair, in the order of {@link #ratios}. */
  public List<Mean> means() {
    return List.copyOf(means);
  }

  /** Every sample. */
  public List<Result> results() {
    List<Result> results = new ArrayList<>();
    samples.forEach(
        (label, forks) ->
            rates(label)
                .forEach(
                    (kind, rates) ->
                        results.add(
                            Result.of(
                                workload,
                                label,
                                kind,
                                UNIT,
                                statistics.median(rates),
                                rates,
                                forks.stream().map(fork -> fork.of(kind)).toList()))));
    return results;
  }

  /** For each kind one value a fork: the median over its repetitions. */
  public Map<String, double[]> rates(String label) {
    List<SearchSamples> forks = Objects.requireNonNull(samples.get(label), label);
    Map<String, double[]> rates = new LinkedHashMap<>();
    for (String kind : forks.get(0).queriesPerSecond().keySet()) {
      rates.put(kind, forks.stream().mapToDouble(fork -> Medians.of(fork.of(kind))).toArray());
    }
    return rates;
  }

  private Mean mean(String label, String otherLabel, Ratios found) {
    Map.Entry<String, Estimate> lowest =
        found.kinds().entrySet().stream()
            .min(Comparator.comparingDouble(e -> e.getValue().value()))
            .orElseThrow();
    return new Mean(
        workload,
        label,
        otherLabel,
        found.mean().value(),
        found.mean().interval95(),
        found.kinds().size(),
        count(found, Estimate.Verdict.FASTER),
        count(found, Estimate.Verdict.SLOWER),
        lowest.getKey(),
        lowest.getValue().value(),
        widest(found, Estimate::interval95),
        widest(found, Estimate::corrected),
        BOUND,
        below(found));
  }

  private static int count(Ratios found, Estimate.Verdict verdict) {
    return (int) found.kinds().values().stream().filter(e -> e.verdict() == verdict).count();
  }

  private static @Nullable Double widest(
      Ratios found, Function<Estimate, @Nullable Interval> interval) {
    OptionalDouble widest =
        found.kinds().values().stream()
            .map(interval)
            .filter(Objects::nonNull)
            .mapToDouble(Interval::halfWidth)
            .max();
    return widest.isPresent() ? widest.getAsDouble() : null;
  }

  /** Null if there were too few forks for corrected intervals. */
  private static @Nullable List<String> below(Ratios found) {
    if (found.kinds().values().stream().anyMatch(e -> e.corrected() == null)) {
      return null;
    }
    return found.kinds().entrySet().stream()
        .filter(e -> Objects.requireNonNull(e.getValue().corrected()).high() < BOUND)
        .map(Map.Entry::getKey)
        .toList();
  }
}
