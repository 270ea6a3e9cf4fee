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
    all.addAll(
        memory(
            s -> {
              Span found = span.apply(s);
              return found == null ? null : found.reading();
            }));
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
              name + ", all" + suffix,
              name + ", all",
              "ms/s",
              span,
              s -> s.pauses(kind).totalNanos() / MILLIS / s.seconds()));
      all.add(
          figure(
              name + ", longest" + suffix,
              name + ", longest",
              "ms",
              span,
              s -> s.pauses(kind).longestNanos() / MILLIS));
    }
    all.add(
        figure(
            "handshakes" + suffix,
            "handshakes",
            "/s",
            span,
            s -> s.pauses(Pause.HANDSHAKE).count() / s.seconds()));
    all.add(
        figure("minor faults" + suffix, "minor faults", "/s", span, rate(Value.MINOR_FAULTS, 1)));
    all.add(
        figure("major faults" + suffix, "major faults", "/s", span, rate(Value.MAJOR_FAULTS, 1)));
    all.add(figure("read" + suffix, "read", "MiB/s", span, rate(Value.READ_BYTES, MEBIBYTE)));
    all.add(
        figure("written" + suffix, "written", "MiB/s", span, rate(Value.WRITTEN_BYTES, MEBIBYTE)));
    return all;
  }

  /** The memory of a process. */
  public static <S> List<Figure<S>> memory(Function<S, @Nullable ProcessReading> reading) {
    return List.of(
        figure(RESIDENT, "resident", "MiB", reading, level(Value.RESIDENT_BYTES, MEBIBYTE)),
        figure(ANONYMOUS, "anonymous", "MiB", reading, level(Value.ANONYMOUS_BYTES, MEBIBYTE)),
        figure("mappings", "mappings", "", reading, level(Value.MAPPINGS, 1)));
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
      String task,
      String heading,
      String unit,
      Function<S, @Nullable T> part,
      Function<T, @Nullable Double> value) {
    return new Figure<>(
        task,
        heading,
        unit,
        Better.NEITHER,
        samples -> {
          T found = part.apply(samples);
          return found == null ? null : value.apply(found);
        });
  }
}
