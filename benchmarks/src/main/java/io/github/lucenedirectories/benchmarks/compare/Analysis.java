package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.report.Results.Mean;
import io.github.lucenedirectories.benchmarks.report.Results.Ratio;
import io.github.lucenedirectories.benchmarks.report.Results.Result;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import io.github.lucenedirectories.benchmarks.stats.Estimate;
import io.github.lucenedirectories.benchmarks.stats.ForkStatistics;
import io.github.lucenedirectories.benchmarks.stats.ForkStatistics.Ratios;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import io.github.lucenedirectories.benchmarks.stats.Medians;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Makes medians, ratios and means of a comparison's samples. */
final class Analysis {
  static final String WORKLOAD = "compare";
  static final String UNIT = "queries/s";

  /**
   * A directory is not called as good as another if a kind's corrected interval lies below this.
   */
  static final double BOUND = 0.97;

  /** Pairs that are compared besides everything with the baseline, where both are there. */
  private static final List<List<BenchmarkDirectory>> COUNTERPARTS =
      List.of(
          List.of(BenchmarkDirectory.RAM, BenchmarkDirectory.BYTE_BUFFERS),
          List.of(BenchmarkDirectory.NIO, BenchmarkDirectory.NIOFS),
          List.of(BenchmarkDirectory.RAM_OVER_MAPPED, BenchmarkDirectory.NRT_CACHING));

  /** A directory of halves, and what each half is alone. */
  private static final List<List<BenchmarkDirectory>> HALVES =
      List.of(
          List.of(
              BenchmarkDirectory.RAM_OVER_MAPPED,
              BenchmarkDirectory.RAM,
              BenchmarkDirectory.MAPPED),
          List.of(
              BenchmarkDirectory.NRT_CACHING,
              BenchmarkDirectory.BYTE_BUFFERS,
              BenchmarkDirectory.MMAP));

  private final Map<Entry, List<SearchSamples>> samples;
  private final ForkStatistics statistics;
  private final List<Ratio> ratios = new ArrayList<>();
  private final List<Mean> means = new ArrayList<>();

  Analysis(Map<Entry, List<SearchSamples>> samples, int forks, long seed) {
    this.samples = samples;
    this.statistics = new ForkStatistics(forks, seed);
    for (Entry column : samples.keySet()) {
      if (!column.equals(Entry.BASELINE)) {
        compare(column.label(), rates(column), Entry.BASELINE.label(), rates(Entry.BASELINE));
      }
    }
    for (List<BenchmarkDirectory> pair : COUNTERPARTS) {
      compareIfPresent(alone(pair.get(0)), alone(pair.get(1)));
    }
    for (Entry column : samples.keySet()) {
      if (column.beside() != null && column.directory() != BenchmarkDirectory.BASELINE) {
        compareIfPresent(column, alone(column.directory()));
      }
    }
    HALVES.forEach(this::compareWithHalves);
  }

  /** Everything compared with the baseline, then the counterparts. */
  List<Ratio> ratios() {
    return List.copyOf(ratios);
  }

  /** One for each pair, in the order of {@link #ratios}. */
  List<Mean> means() {
    return List.copyOf(means);
  }

  /** Every sample. */
  List<Result> results() {
    List<Result> results = new ArrayList<>();
    samples.forEach(
        (column, forks) ->
            rates(column)
                .forEach(
                    (kind, rates) ->
                        results.add(
                            Result.of(
                                WORKLOAD,
                                column.label(),
                                kind,
                                UNIT,
                                statistics.median(rates),
                                rates,
                                forks.stream().map(fork -> fork.of(kind)).toList()))));
    return results;
  }

  private static Entry alone(BenchmarkDirectory directory) {
    return new Entry(directory.label(), directory, null);
  }

  private void compareIfPresent(Entry column, Entry other) {
    if (samples.containsKey(column) && samples.containsKey(other)) {
      compare(column.label(), rates(column), other.label(), rates(other));
    }
  }

  /** With halves that take no time from each other, times add: so rates have a harmonic mean. */
  private void compareWithHalves(List<BenchmarkDirectory> whole) {
    Entry column = alone(whole.get(0));
    Entry first = alone(whole.get(1));
    Entry second = alone(whole.get(2));
    if (!samples.keySet().containsAll(List.of(column, first, second))) {
      return;
    }
    Map<String, double[]> expected = new LinkedHashMap<>();
    Map<String, double[]> others = rates(second);
    rates(first)
        .forEach(
            (kind, rates) -> {
              double[] other = Objects.requireNonNull(others.get(kind), kind);
              double[] halves = new double[rates.length];
              for (int i = 0; i < halves.length; i++) {
                halves[i] = 2 / (1 / rates[i] + 1 / other[i]);
              }
              expected.put(kind, halves);
            });
    String label = "half " + first.label() + ", half " + second.label();
    compare(column.label(), rates(column), label, expected);
  }

  private void compare(
      String label, Map<String, double[]> rates, String otherLabel, Map<String, double[]> others) {
    Ratios found = statistics.ratios(rates, others);
    found
        .kinds()
        .forEach(
            (kind, estimate) ->
                ratios.add(
                    Ratio.of(WORKLOAD, label, otherLabel, kind, estimate, estimate.verdict())));
    means.add(mean(label, otherLabel, found));
  }

  private static Mean mean(String label, String otherLabel, Ratios found) {
    Map.Entry<String, Estimate> lowest =
        found.kinds().entrySet().stream()
            .min(Comparator.comparingDouble(e -> e.getValue().value()))
            .orElseThrow();
    return new Mean(
        WORKLOAD,
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

  /** For each kind one value a fork: the median over its repetitions. */
  private Map<String, double[]> rates(Entry column) {
    List<SearchSamples> forks = Objects.requireNonNull(samples.get(column));
    Map<String, double[]> rates = new LinkedHashMap<>();
    for (String kind : forks.get(0).queriesPerSecond().keySet()) {
      rates.put(kind, forks.stream().mapToDouble(fork -> Medians.of(fork.of(kind))).toArray());
    }
    return rates;
  }
}
