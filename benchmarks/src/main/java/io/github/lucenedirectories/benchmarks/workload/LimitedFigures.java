package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.ProcessFigures;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Figures.Shown;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.LimitedSearch.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.LimitedSearch.Opening;
import io.github.lucenedirectories.benchmarks.workload.LimitedSearch.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The figures of {@link LimitedSearch}: of each kind, and of a whole fork. */
public final class LimitedFigures {
  /** What the figures of a kind mean. */
  public static final String KIND_MEANING =
      "p50 and p99: latency of a query in a closed loop. faults: page faults that waited for a"
          + " device. read: bytes that the process made the system read from devices, with what was"
          + " read ahead. Both are a query's share of all while the kind ran.";

  /** What the figures of a fork mean. */
  public static final String FORK_MEANING =
      "open: the directory and a reader, under a limit while nothing of the index is in the page"
          + " cache; a directory that holds the index in memory reads all of it then. anonymous:"
          + " memory that no file is behind, heap included. peak: the most memory of the fork's"
          + " group, page cache included. merge: of half of the index, by the clock, while the"
          + " queries of the kind Merging ran.";

  /** The figure of opening the directory and a reader. */
  public static final String OPEN = "open";

  /* What a directory with a block cache counts. */
  private static final String HIT_RATE = "hit rate";
  private static final String CACHED = "BlockCacheDirectory";

  private static final double MILLIS = 1e6;
  private static final double MILLIS_A_SECOND = 1e3;
  private static final double KIBIBYTE = 1 << 10;
  private static final double MEBIBYTE = 1 << 20;
  private static final double MEDIAN = 50;
  private static final double HIGH = 99;

  private LimitedFigures() {}

  /** The name of the figure of the 99th percentile of a kind's latencies. */
  public static String high(String kind) {
    return kind + " p99";
  }

  /**
   * All figures: the rates first, then a group for each kind, then those of the forks.
   *
   * @param kinds the names under which samples were taken
   */
  public static List<Figures<Samples>> of(List<String> kinds, List<Column> columns) {
    boolean cached = columns.stream().anyMatch(c -> c.variant().startsWith(CACHED));
    List<Figures<Samples>> all = new ArrayList<>();
    all.add(
        Search.rates(
            kinds, (fork, kind) -> List.of(fork.kind(kind).queries() / fork.kind(kind).seconds())));
    for (String kind : kinds) {
      List<Figure<Samples>> figures =
          new ArrayList<>(
              List.of(
                  percentile(kind + " p50", "p50", kind, MEDIAN),
                  percentile(high(kind), "p99", kind, HIGH),
                  share(
                      kind,
                      " faults",
                      "faults",
                      "a query",
                      1,
                      k -> k.reads().get(Value.MAJOR_FAULTS)),
                  share(
                      kind,
                      " read",
                      "read",
                      "KiB a query",
                      KIBIBYTE,
                      k -> k.reads().get(Value.READ_BYTES))));
      if (cached) {
        figures.add(
            figure(kind + " " + HIT_RATE, HIT_RATE, "", f -> f.kind(kind).figures().get(HIT_RATE)));
      }
      all.add(new Figures<>(kind, KIND_MEANING, Shown.EVERYWHERE, false, figures));
    }
    all.add(
        new Figures<>(
            "Open, and memory",
            FORK_MEANING,
            Shown.EVERYWHERE,
            false,
            List.of(
                opening(OPEN, "open", "ms", Better.LOWER, o -> o.seconds() * MILLIS_A_SECOND),
                opening(
                    "open, read",
                    "read",
                    "MiB",
                    Better.NEITHER,
                    o -> scaled(o.reads().get(Value.READ_BYTES), MEBIBYTE)),
                new Figure<>("merge", "merge", "s", Better.LOWER, Samples::mergeSeconds),
                figure(
                    ProcessFigures.ANONYMOUS,
                    "anonymous",
                    "MiB",
                    f -> scaled(f.footprint().get(Value.ANONYMOUS_BYTES), MEBIBYTE)),
                figure("peak memory", "peak", "MiB", f -> scaled(f.peakBytes(), MEBIBYTE)))));
    all.add(
        new Figures<>(
            "Memory in the end",
            "resident: all memory of the process, mapped files included; mappings: lines of"
                + " /proc/self/maps.",
            Shown.PAGE,
            false,
            List.of(
                figure(
                    ProcessFigures.RESIDENT,
                    "resident",
                    "MiB",
                    f -> scaled(f.footprint().get(Value.RESIDENT_BYTES), MEBIBYTE)),
                figure(
                    "mappings",
                    "mappings",
                    "",
                    f -> scaled(f.footprint().get(Value.MAPPINGS), 1)))));
    all.add(
        new Figures<>(
            "Minor faults",
            "Page faults that found their page in memory, by kind.",
            Shown.PAGE,
            false,
            kinds.stream()
                .map(
                    kind ->
                        share(
                            kind,
                            " minor faults",
                            kind,
                            "a query",
                            1,
                            k -> k.reads().get(Value.MINOR_FAULTS)))
                .toList()));
    all.add(
        new Figures<>(
            "Pauses",
            "What the garbage collector took while a kind ran, as the JVM reports it. Safepoints"
                + " and handshakes are not recorded, since that would take memory of the limit.",
            Shown.PAGE,
            false,
            kinds.stream()
                .map(
                    kind ->
                        figure(
                            kind + " pauses, all",
                            kind,
                            "ms/s",
                            f ->
                                f.kind(kind).collectionSeconds()
                                    * MILLIS_A_SECOND
                                    / f.kind(kind).seconds()))
                .toList()));
    return all;
  }

  /** The same results with all histograms. */
  public static Results withLatencies(
      Results results, List<String> kinds, Map<String, List<Samples>> samples) {
    List<Results.Latencies> all = new ArrayList<>();
    samples.forEach(
        (column, forks) -> {
          for (String kind : kinds) {
            all.add(
                new Results.Latencies(
                    results.workload(),
                    column,
                    kind,
                    "ns",
                    forks.stream().map(fork -> fork.kind(kind).latencies()).toList()));
          }
        });
    return results.withLatencies(all);
  }

  private static Figure<Samples> figure(
      String task, String heading, String unit, Function<Samples, @Nullable Double> value) {
    return new Figure<>(task, heading, unit, Better.NEITHER, value);
  }

  private static Figure<Samples> percentile(
      String task, String heading, String kind, double percentile) {
    return new Figure<>(
        task,
        heading,
        "ms",
        Better.LOWER,
        fork ->
            EncodedHistogram.decode(fork.kind(kind).latencies()).getValueAtPercentile(percentile)
                / MILLIS);
  }

  /** A query's share, with the whole sum and the number of queries as its parts. */
  private static Figure<Samples> share(
      String kind,
      String name,
      String heading,
      String unit,
      double scale,
      Function<KindSamples, @Nullable Long> sum) {
    Function<Samples, List<Double>> parts =
        fork -> {
          Double all = scaled(sum.apply(fork.kind(kind)), scale);
          return all == null ? List.of() : List.of(all, (double) fork.kind(kind).queries());
        };
    return new Figure<>(
        kind + name,
        heading,
        unit,
        Better.NEITHER,
        fork ->
            parts.apply(fork).isEmpty()
                ? null
                : parts.apply(fork).get(0) / parts.apply(fork).get(1),
        parts);
  }

  /** The mean over a fork's openings. */
  private static Figure<Samples> opening(
      String task,
      String heading,
      String unit,
      Better better,
      Function<Opening, @Nullable Double> value) {
    Function<Samples, List<Double>> parts =
        fork -> fork.openings().stream().map(value).filter(Objects::nonNull).toList();
    return new Figure<>(
        task,
        heading,
        unit,
        better,
        fork -> {
          List<Double> values = parts.apply(fork);
          return values.size() < fork.openings().size()
              ? null
              : Double.valueOf(
                  values.stream().mapToDouble(Double::doubleValue).average().orElseThrow());
        },
        parts);
  }

  private static @Nullable Double scaled(@Nullable Long value, double unit) {
    return value == null ? null : Double.valueOf(value / unit);
  }
}
