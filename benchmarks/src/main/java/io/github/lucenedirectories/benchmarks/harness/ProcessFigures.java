package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Pause;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Figures.Shown;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pauses, page faults, device bytes and memory of a fork while it was measured. */
public final class ProcessFigures {
  /** The name of the figure of memory that has no file behind it. */
  public static final String ANONYMOUS = "anonymous memory";

  /** The name of the figure of all memory, mapped files included. */
  public static final String RESIDENT = "resident memory";

  /** What {@link #during} takes. */
  public static final String MEANING =
      "pauses: of the collector; safepoints: all stops of all threads, pauses included; handshakes:"
          + " with all threads one by one, which closing a shared arena needs. For each the sum per"
          + " second and the longest. minor and major faults: page faults without and with a wait"
          + " for a device; read: bytes from devices; written: bytes of dirty pages, even if the"
          + " file was deleted before they reached the device.";

  private static final double MILLIS = 1e6;
  private static final double MEBIBYTE = 1 << 20;

  private ProcessFigures() {}

  /** The figures of samples that have a span. */
  public static <S> Figures<S> of(Function<S, @Nullable Span> span) {
    List<Figure<S>> all = new ArrayList<>(during("", span));
    all.addAll(memory(s -> reading(span.apply(s))));
    return new Figures<>(
        "The process while it was measured",
        MEANING
            + " resident: all memory of the process, mapped files included; anonymous: memory"
            + " without a file behind it; mappings: lines of /proc/self/maps. These three at the"
            + " end.",
        Shown.PAGE,
        false,
        all);
  }

  /**
   * What happened in a span.
   *
   * @param suffix of the figures' names, for a workload with several spans
   */
  public static <S> List<Figure<S>> during(String suffix, Function<S, @Nullable Span> span) {
    List<Figure<S>> all = new ArrayList<>();
    for (Pause kind : Pause.values()) {
      String name =
          kind == Pause.COLLECTION ? "pauses" : kind.name().toLowerCase(Locale.ROOT) + "s";
      all.add(
          figure(
              name + ", all",
              suffix,
              "ms/s",
              span,
              s -> s.pauses(kind).totalNanos() / MILLIS / s.seconds()));
      all.add(
          figure(
              name + ", longest", suffix, "ms", span, s -> s.pauses(kind).longestNanos() / MILLIS));
    }
    all.add(
        figure(
            "handshakes",
            suffix,
            "/s",
            span,
            s -> s.pauses(Pause.HANDSHAKE).count() / s.seconds()));
    all.add(rate("minor faults", suffix, "/s", span, Value.MINOR_FAULTS, 1));
    all.add(rate("major faults", suffix, "/s", span, Value.MAJOR_FAULTS, 1));
    all.add(rate("read", suffix, "MiB/s", span, Value.READ_BYTES, MEBIBYTE));
    all.add(rate("written", suffix, "MiB/s", span, Value.WRITTEN_BYTES, MEBIBYTE));
    return all;
  }

  private static @Nullable ProcessReading reading(@Nullable Span span) {
    return span == null ? null : span.reading();
  }

  /** The memory of a process. */
  public static <S> List<Figure<S>> memory(Function<S, @Nullable ProcessReading> reading) {
    return List.of(
        level(RESIDENT, "resident", "MiB", reading, Value.RESIDENT_BYTES, MEBIBYTE),
        level(ANONYMOUS, "anonymous", "MiB", reading, Value.ANONYMOUS_BYTES, MEBIBYTE),
        level("mappings", "mappings", "", reading, Value.MAPPINGS, 1));
  }

  private static <S> Figure<S> rate(
      String name,
      String suffix,
      String unit,
      Function<S, @Nullable Span> span,
      Value value,
      double by) {
    return figure(name, suffix, unit, span, s -> divided(s.reading().get(value), by * s.seconds()));
  }

  private static <S> Figure<S> level(
      String name,
      String heading,
      String unit,
      Function<S, @Nullable ProcessReading> reading,
      Value value,
      double by) {
    return new Figure<>(
        name,
        heading,
        unit,
        Better.NEITHER,
        samples -> {
          ProcessReading found = reading.apply(samples);
          return found == null ? null : divided(found.get(value), by);
        });
  }

  private static <S> Figure<S> figure(
      String name,
      String suffix,
      String unit,
      Function<S, @Nullable Span> span,
      Function<Span, @Nullable Double> value) {
    return new Figure<>(
        name + suffix,
        name,
        unit,
        Better.NEITHER,
        samples -> {
          Span found = span.apply(samples);
          return found == null ? null : value.apply(found);
        });
  }

  private static @Nullable Double divided(@Nullable Long value, double by) {
    return value == null ? null : Double.valueOf(value / by);
  }
}
