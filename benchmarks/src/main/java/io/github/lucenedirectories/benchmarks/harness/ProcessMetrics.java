// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the system and the JVM count while this process is measured. */
public final class ProcessMetrics {
  public static final String MEANING =
      "pauses: time of the garbage collector. minor and major faults: page faults without and with"
          + " a wait for a device; read: bytes from devices; written: bytes of dirty pages, even if"
          + " the file was deleted before they reached the device.";

  public static final String MEMORY_MEANING =
      " resident: all memory of the process, mapped files included; anonymous: memory without a"
          + " file behind it, the heap included; mappings: lines of /proc/self/maps.";

  private static final double NANOS = 1e9;
  private static final double MEBIBYTE = 1 << 20;
  private static final int COLLECTIONS = 3;

  private ProcessMetrics() {}

  /** What happened between two moments; readings are counts of this span, and levels at its end. */
  public record Span(double seconds, ProcessReading reading) {
    public Span plus(Span later) {
      return new Span(seconds + later.seconds, later.reading.plus(reading));
    }
  }

  /** A moment at which a span begins. */
  public record Mark(long nanos, ProcessReading reading) {
    /** It takes about a millisecond. */
    public static Mark now() {
      return new Mark(System.nanoTime(), ProcessReading.now());
    }

    /** The span from then until now. */
    public Span span() {
      Mark now = now();
      return new Span((now.nanos - nanos) / NANOS, now.reading.since(reading));
    }
  }

  /** The bytes on the Java heap after a few full collections. */
  public static long heapAfterCollection() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < COLLECTIONS; i++) {
      ManagementFactory.getMemoryMXBean().gc();
      least = Math.min(least, ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
    }
    return least;
  }

  public static <S> Figures<S> figures(Function<S, @Nullable Span> span) {
    Function<S, @Nullable ProcessReading> reading =
        s -> {
          Span found = span.apply(s);
          return found == null ? null : found.reading();
        };
    return Figures.onPage(
        "The process while it was measured",
        MEANING + MEMORY_MEANING + " These three at the end.",
        Stream.concat(during("", span).stream(), memory(reading).stream()).toList());
  }

  /** What happened in a span; {@code suffix} tells the figures of several spans apart. */
  public static <S> List<Figure<S>> during(String suffix, Function<S, @Nullable Span> span) {
    List<Figure<S>> all = new ArrayList<>();
    all.add(figure("pauses, all", suffix, "ms/s", span, rate(Value.COLLECTION_MILLIS, 1)));
    all.add(figure("minor faults", suffix, "/s", span, rate(Value.MINOR_FAULTS, 1)));
    all.add(figure("major faults", suffix, "/s", span, rate(Value.MAJOR_FAULTS, 1)));
    all.add(figure("read", suffix, "MiB/s", span, rate(Value.READ_BYTES, MEBIBYTE)));
    all.add(figure("written", suffix, "MiB/s", span, rate(Value.WRITTEN_BYTES, MEBIBYTE)));
    return all;
  }

  public static <S> List<Figure<S>> memory(Function<S, @Nullable ProcessReading> reading) {
    return List.of(
        figure("resident", " memory", "MiB", reading, level(Value.RESIDENT_BYTES, MEBIBYTE)),
        figure("anonymous", " memory", "MiB", reading, level(Value.ANONYMOUS_BYTES, MEBIBYTE)),
        figure("mappings", "", "", reading, level(Value.MAPPINGS, 1)));
  }

  private static Function<Span, @Nullable Double> rate(Value value, double unit) {
    return span -> level(value, unit * span.seconds()).apply(span.reading());
  }

  private static Function<ProcessReading, @Nullable Double> level(Value value, double unit) {
    return reading -> {
      Long found = reading.get(value);
      return found == null ? null : Double.valueOf(found / unit);
    };
  }

  /** A figure of a part of samples, which may be missing. */
  private static <S, T> Figure<S> figure(
      String heading,
      String suffix,
      String unit,
      Function<S, @Nullable T> part,
      Function<T, @Nullable Double> value) {
    return new Figure<>(
        heading + suffix,
        heading,
        unit,
        Better.NEITHER,
        samples -> {
          T found = part.apply(samples);
          return found == null ? null : value.apply(found);
        });
  }
}
