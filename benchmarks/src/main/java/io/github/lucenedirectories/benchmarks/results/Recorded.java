// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.zip.DataFormatException;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Times that a fork recorded: at the percentiles of {@link #LABELS}, and all in a histogram. */
public record Recorded(long count, List<Long> nanos, String histogram) {
  public static final List<String> LABELS = List.of("p50", "p90", "p99", "p99.9", "p99.99");

  /** Significant digits of the histograms that workloads record. */
  public static final int DIGITS = 3;

  private static final double MILLIS = 1e6;

  /** HdrHistogram's compressed encoding in base64, which its tools read. */
  public static String encode(AbstractHistogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }

  public static Histogram decode(String text) {
    try {
      return Histogram.decodeFromCompressedByteBuffer(
          ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
    } catch (DataFormatException e) {
      throw new IllegalArgumentException("not a histogram: " + e.getMessage(), e);
    }
  }

  public static Recorded of(AbstractHistogram histogram) {
    return new Recorded(
        histogram.getTotalCount(),
        LABELS.stream()
            .map(l -> histogram.getValueAtPercentile(Double.parseDouble(l.substring(1))))
            .toList(),
        encode(histogram));
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

  public static <S> List<Results.Latencies> latencies(
      String workload,
      String task,
      Map<String, List<S>> samples,
      Function<S, @Nullable Recorded> times) {
    List<Results.Latencies> all = new ArrayList<>();
    samples.forEach(
        (label, forks) -> {
          List<String> encoded =
              forks.stream()
                  .map(times)
                  .filter(Objects::nonNull)
                  .filter(found -> found.count() > 0)
                  .map(Recorded::histogram)
                  .toList();
          if (!encoded.isEmpty()) {
            all.add(new Results.Latencies(workload, label, task, "ns", encoded));
          }
        });
    return all;
  }
}
