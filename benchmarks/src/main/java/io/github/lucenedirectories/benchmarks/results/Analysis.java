// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns samples into medians, ratios and geometric means of ratios. All samples of a column are in
 * the order of the rounds, and those of one round are compared with each other.
 */
public final class Analysis<S> {
  private final String workload;
  private final Map<String, List<S>> samples;
  private final List<Figures<S>> groups;
  private final ForkStatistics statistics;
  private final List<Ratio> ratios = new ArrayList<>();
  private final List<Ratio> means = new ArrayList<>();

  /** Of the samples of each column by its label, as many of each. */
  public Analysis(
      String workload, Map<String, List<S>> samples, List<Figures<S>> groups, long seed) {
    this.workload = workload;
    this.samples = samples;
    this.groups = List.copyOf(groups);
    this.statistics = new ForkStatistics(samples.values().iterator().next().size(), seed);
  }

  /**
   * Compares all other columns with one, or with the best of some. Does nothing if that was not
   * measured.
   */
  public void compareAll(String reference) {
    for (String column : samples.keySet()) {
      if (!column.equals(reference)) {
        compare(column, reference);
      }
    }
  }

  /** Compares a column with another, if both were measured. */
  public void compare(String column, String reference) {
    List<String> references = Results.bestAmong(reference);
    if (!samples.containsKey(column) || !samples.keySet().containsAll(references)) {
      return;
    }
    for (Figures<S> group : groups) {
      Map<String, double[]> above = new LinkedHashMap<>();
      Map<String, double[]> below = new LinkedHashMap<>();
      for (Figure<S> figure : group.all()) {
        double[] mine = positive(values(column, figure));
        double[] theirs = best(references, figure);
        if (figure.isCompared() && mine != null && theirs != null) {
          above.put(figure.task(), mine);
          below.put(figure.task(), theirs);
        }
      }
      Map<String, Estimate> found = new LinkedHashMap<>();
      if (group.summed() && !above.isEmpty()) {
        ForkStatistics.Ratios together = statistics.ratios(above, below);
        found.putAll(together.kinds());
        means.add(Ratio.of(workload, column, reference, "", together.mean(), Better.HIGHER));
      } else {
        above.forEach((task, mine) -> found.put(task, statistics.ratio(mine, below.get(task))));
      }
      for (Figure<S> figure : group.all()) {
        Estimate ratio = found.get(figure.task());
        if (ratio != null) {
          ratios.add(Ratio.of(workload, column, reference, figure.task(), ratio, figure.better()));
        }
      }
    }
  }

  /**
   * The values of the column with the best median; null if one has a value that is not positive.
   */
  private double @Nullable [] best(List<String> columns, Figure<S> figure) {
    double[] best = null;
    for (String column : columns) {
      double[] values = positive(values(column, figure));
      if (values == null) {
        return null;
      }
      boolean more = best != null && Medians.of(values) > Medians.of(best);
      best = best == null || more == (figure.better() == Better.HIGHER) ? values : best;
    }
    return best;
  }

  /** One value a round; null if a fork could not take the figure. */
  private double @Nullable [] values(String column, Figure<S> figure) {
    List<S> forks = Objects.requireNonNull(samples.get(column), column);
    double[] values = new double[forks.size()];
    for (int i = 0; i < values.length; i++) {
      Double value = figure.value().apply(forks.get(i));
      if (value == null) {
        return null;
      }
      values[i] = value;
    }
    return values;
  }

  private static double @Nullable [] positive(double @Nullable [] values) {
    return values != null && Arrays.stream(values).allMatch(value -> value > 0) ? values : null;
  }

  public Results results(Map<String, Object> environment, List<Results.Skipped> skipped) {
    List<Result> results = new ArrayList<>();
    for (String column : samples.keySet()) {
      for (Figures<S> group : groups) {
        for (Figure<S> figure : group.all()) {
          double[] values = values(column, figure);
          if (values != null) {
            results.add(result(column, figure, values));
          }
        }
      }
    }
    return new Results(environment, results, ratios, means, skipped);
  }

  private Result result(String column, Figure<S> figure, double[] values) {
    Estimate median =
        positive(values) == null
            ? new Estimate(Medians.of(values), null)
            : statistics.median(values);
    List<List<Double>> parts =
        Objects.requireNonNull(samples.get(column)).stream()
            .map(fork -> figure.parts().apply(fork).stream().map(Analysis::rounded).toList())
            .toList();
    return new Result(
        workload,
        column,
        figure.task(),
        figure.unit(),
        rounded(median.value()),
        median.interval95(),
        Arrays.stream(values).mapToObj(Analysis::rounded).toList(),
        parts.stream().allMatch(List::isEmpty) ? List.of() : parts);
  }

  /** To six digits: more are noise, and make the file large. */
  private static double rounded(double value) {
    return Double.parseDouble(Numbers.text("%.6g", value));
  }
}
