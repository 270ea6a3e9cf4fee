// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.AbstractHistogram;
import org.jspecify.annotations.Nullable;

/** How many times a fork recorded, and those at the percentiles of {@link #LABELS}. */
public record Recorded(long count, List<Long> nanos) {
  public static final List<String> LABELS = List.of("p50", "p90", "p99", "p99.9", "p99.99");

  /** Significant digits of the histograms that workloads record. */
  public static final int DIGITS = 3;

  private static final double MILLIS = 1e6;

  public static Recorded of(AbstractHistogram histogram) {
    return new Recorded(
        histogram.getTotalCount(),
        LABELS.stream()
            .map(l -> histogram.getValueAtPercentile(Double.parseDouble(l.substring(1))))
            .toList());
  }

  public double millis(String label) {
    return nanos.get(LABELS.indexOf(label)) / MILLIS;
  }

  /** The percentiles of what samples recorded, in milliseconds; lower is better. */
  public static <S> List<Figure<S>> figures(
      String task, List<String> labels, Function<S, @Nullable Recorded> times) {
    return labels.stream()
        .map(
            label ->
                new Figure<S>(
                    task + " " + label,
                    label,
                    "ms",
                    Better.LOWER,
                    samples -> {
                      Recorded found = times.apply(samples);
                      return found == null || found.count() == 0
                          ? null
                          : Double.valueOf(found.millis(label));
                    }))
        .toList();
  }

  public static <S> long fewest(Map<String, List<S>> samples, Function<S, Recorded> times) {
    return samples.values().stream()
        .flatMap(List::stream)
        .mapToLong(sample -> times.apply(sample).count())
        .min()
        .orElseThrow();
  }
}
