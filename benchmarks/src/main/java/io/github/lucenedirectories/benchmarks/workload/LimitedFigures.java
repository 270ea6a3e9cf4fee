package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.ProcessFigures;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Recorded;
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
          + " cache; a directory that holds the index in memory reads all of it then. merge: of"
          + " half of the index, by the clock, while the queries of the kind Merging ran. peak: the"
          + " most memory of the fork's group, page cache included. In the end, resident: all memory"
          + " of the process, mapped files included; anonymous: memory that no file is behind, heap"
          + " included; mappings: lines of /proc/self/maps.";

  /** The figure of opening the directory and a reader. */
  public static final String OPEN = "open";

  /* What a directory with a block cache counts. */
  private static final String HIT_RATE = "hit rate";
  private static final String CACHED = "BlockCacheDirectory";

  private static final double MILLIS_A_SECOND = 1e3;
  private static final double KIBIBYTE = 1 << 10;
  private static final double MEBIBYTE = 1 << 20;

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
      List<Figure<Samples>> figures = new ArrayList<>();
      figures.addAll(Recorded.figures(kind, List.of("p50", "p99"), f -> f.kind(kind).latencies()));
      figures.add(share(kind, "faults", "faults", "a query", 1, Value.MAJOR_FAULTS));
      figures.add(share(kind, "read", "read", "KiB a query", KIBIBYTE, Value.READ_BYTES));
      if (cached) {
        figures.add(
            figure(kind + " " + HIT_RATE, HIT_RATE, "", f -> f.kind(kind).figures().get(HIT_RATE)));
      }
      all.add(Figures.everywhere(kind, KIND_MEANING, figures));
    }
    List<Figure<Samples>> whole = new ArrayList<>();
    whole.add(opening(OPEN, "open", "ms", Better.LOWER, o -> o.seconds() * MILLIS_A_SECOND));
    whole.add(
        opening(
            "open, read",
            "read",
            "MiB",
            Better.NEITHER,
            o -> scaled(o.reads().get(Value.READ_BYTES), MEBIBYTE)));
    whole.add(new Figure<>("merge", "merge", "s", Better.LOWER, Samples::mergeSeconds));
    whole.add(figure("peak memory", "peak", "MiB", f -> scaled(f.peakBytes(), MEBIBYTE)));
    whole.addAll(ProcessFigures.memory(Samples::footprint));
    all.add(Figures.everywhere("Open, and memory", FORK_MEANING, whole));
    all.add(
        Figures.onPage(
            "Minor faults",
            "Page faults that found their page in memory, by kind.",
            kinds.stream()
                .map(k -> share(k, "minor faults", k, "a query", 1, Value.MINOR_FAULTS))
                .toList()));
    all.add(
        Figures.onPage(
            "Pauses",
            "What the garbage collector took while a kind ran, as the JVM reports it. Safepoints"
                + " and handshakes are not recorded, since that would take memory of the limit.",
            kinds.stream()
                .map(k -> figure(k + " pauses, all", k, "ms/s", f -> collections(f.kind(k))))
                .toList()));
    return all;
  }

  private static double collections(KindSamples kind) {
    return kind.collectionSeconds() * MILLIS_A_SECOND / kind.seconds();
  }

  /** The same results with all histograms. */
  public static Results withLatencies(
      Results results, List<String> kinds, Map<String, List<Samples>> samples) {
    List<Results.Latencies> all = new ArrayList<>();
    for (String kind : kinds) {
      all.addAll(
          Recorded.latencies(
              results.workload(), kind, samples, fork -> fork.kind(kind).latencies()));
    }
    return results.withLatencies(all);
  }

  private static Figure<Samples> figure(
      String task, String heading, String unit, Function<Samples, @Nullable Double> value) {
    return new Figure<>(task, heading, unit, Better.NEITHER, value);
  }

  /** A query's share, with the whole sum and the number of queries as its parts. */
  private static Figure<Samples> share(
      String kind, String name, String heading, String unit, double scale, Value value) {
    Function<Samples, List<Double>> parts =
        fork -> {
          Double all = scaled(fork.kind(kind).reads().get(value), scale);
          return all == null ? List.of() : List.of(all, (double) fork.kind(kind).queries());
        };
    return new Figure<>(
        kind + " " + name,
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
