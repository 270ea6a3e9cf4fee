package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.Figure;
import io.github.lucenedirectories.benchmarks.measures.Measure;
import io.github.lucenedirectories.benchmarks.measures.Measure.Better;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup.Place;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** What is taken under a limit besides queries per second: for each kind, and for a whole fork. */
public final class LimitMeasures {
  /** The figures of a kind, for their reader. */
  public static final String KIND_MEANING =
      "p50 and p99: latency of a query in a closed loop. faults: page faults that waited for a"
          + " device. read: bytes that the process made the system read from devices, with what was"
          + " read ahead. Both are a query's share of all while the kind ran.";

  static final String FORK_MEANING =
      "open: the directory and a reader, while nothing of the index is in the page cache; a"
          + " directory that holds the index in memory reads all of it then. anonymous: memory that no file is behind,"
          + " heap included. peak: the most memory of the fork's group, page cache included. merge: of half of the index, by the clock, while the"
          + " queries of the kind Merging ran.";

  private static final String MEMORY_MEANING =
      "resident: all memory of the process, mapped files included; mappings: lines of"
          + " /proc/self/maps.";

  private static final double MILLIS = 1e6;
  private static final double MILLIS_A_SECOND = 1e3;
  private static final double KIBIBYTE = 1 << 10;
  private static final double MEBIBYTE = 1 << 20;
  private static final double MEDIAN = 50;
  private static final double HIGH = 99;

  /** Opening the directory and a reader. */
  public static final Measure OPEN = new Measure("open", "open", "ms", Better.LOWER);

  private static final Measure OPEN_READ = new Measure("open, read", "read", "MiB", Better.NEITHER);
  private static final Measure MERGE = new Measure("merge", "merge", "s", Better.LOWER);

  private static final Measure PEAK = new Measure("peak memory", "peak", "MiB", Better.NEITHER);

  private LimitMeasures() {}

  static Measure median(String kind) {
    return new Measure(kind + " p50", "p50", "ms", Better.LOWER);
  }

  /** The 99th percentile of a kind's latencies. */
  public static Measure high(String kind) {
    return new Measure(kind + " p99", "p99", "ms", Better.LOWER);
  }

  static Measure faults(String kind) {
    return new Measure(kind + " faults", "faults", "a query", Better.NEITHER);
  }

  static Measure read(String kind) {
    return new Measure(kind + " read", "read", "KiB a query", Better.NEITHER);
  }

  private static Measure minorFaults(String kind) {
    return new Measure(kind + " minor faults", kind, "a query", Better.NEITHER);
  }

  private static Measure collections(String kind) {
    return new Measure(kind + " pauses, all", kind, "ms/s", Better.NEITHER);
  }

  private static Measure named(String kind, String figure) {
    return new Measure(kind + " " + figure, figure, "", Better.NEITHER);
  }

  /**
   * One group for each kind, and one for the forks.
   *
   * @param forkMeaning what the figures of a fork mean
   */
  public static List<MeasureGroup> groups(
      Map<String, List<LimitSamples>> samples, String forkMeaning) {
    Map<String, Set<String>> figures = new LinkedHashMap<>();
    samples.values().stream()
        .flatMap(List::stream)
        .flatMap(fork -> fork.kinds().entrySet().stream())
        .forEach(
            kind ->
                figures
                    .computeIfAbsent(kind.getKey(), k -> new TreeSet<>())
                    .addAll(kind.getValue().figures().keySet()));
    List<MeasureGroup> groups = new ArrayList<>();
    figures.forEach(
        (kind, names) -> {
          List<Measure> measures =
              new ArrayList<>(List.of(median(kind), high(kind), faults(kind), read(kind)));
          names.forEach(name -> measures.add(named(kind, name)));
          groups.add(new MeasureGroup(kind, KIND_MEANING, Place.EVERYWHERE, measures));
        });
    groups.add(
        new MeasureGroup(
            "Open, and memory",
            forkMeaning,
            Place.EVERYWHERE,
            List.of(OPEN, OPEN_READ, MERGE, Beside.ANONYMOUS, PEAK)));
    groups.add(
        new MeasureGroup(
            "Memory in the end",
            MEMORY_MEANING,
            Place.PAGE,
            List.of(Beside.RESIDENT, Beside.MAPPINGS)));
    groups.add(
        new MeasureGroup(
            "Minor faults",
            "Page faults that found their page in memory, by kind.",
            Place.PAGE,
            figures.keySet().stream().map(LimitMeasures::minorFaults).toList()));
    groups.add(
        new MeasureGroup(
            "Pauses",
            "What the garbage collector took while a kind ran, as the JVM tells it. Safepoints and"
                + " handshakes are not told: their recording would take memory of the limit.",
            Place.PAGE,
            figures.keySet().stream().map(LimitMeasures::collections).toList()));
    return groups;
  }

  /** The figures of a column's forks. */
  public static Measured measured(String label, List<LimitSamples> forks) {
    return new Measured(label, forks.stream().map(LimitMeasures::figures).toList());
  }

  /** All histograms, for the results. */
  public static List<Results.Latencies> latencies(
      String workload, Map<String, List<LimitSamples>> samples) {
    List<Results.Latencies> all = new ArrayList<>();
    samples.forEach(
        (label, forks) -> {
          for (String kind : forks.get(0).kinds().keySet()) {
            List<String> encoded =
                forks.stream().map(f -> f.kinds().get(kind)).map(KindSamples::latencies).toList();
            all.add(new Results.Latencies(workload, label, kind, "ns", encoded));
          }
        });
    return all;
  }

  private static Map<Measure, Figure> figures(LimitSamples fork) {
    Map<Measure, Figure> figures = new LinkedHashMap<>();
    fork.kinds().forEach((kind, samples) -> add(figures, kind, samples));
    List<Opening> openings = fork.openings();
    figures.put(
        OPEN, mean(openings.stream().map(opening -> opening.seconds() * MILLIS_A_SECOND).toList()));
    if (openings.stream().allMatch(opening -> opening.reads().readBytes() != null)) {
      figures.put(
          OPEN_READ,
          mean(
              openings.stream()
                  .map(o -> Objects.requireNonNull(o.reads().readBytes()) / MEBIBYTE)
                  .toList()));
    }
    Double merge = fork.mergeSeconds();
    if (merge != null) {
      figures.put(MERGE, Figure.of(merge));
    }
    figures.putAll(Beside.memory(fork.footprint()));
    Long peak = fork.peakBytes();
    if (peak != null) {
      figures.put(PEAK, Figure.of(peak / MEBIBYTE));
    }
    return figures;
  }

  private static void add(Map<Measure, Figure> figures, String kind, KindSamples samples) {
    Histogram latencies = EncodedHistogram.decode(samples.latencies());
    figures.put(median(kind), Figure.of(latencies.getValueAtPercentile(MEDIAN) / MILLIS));
    figures.put(high(kind), Figure.of(latencies.getValueAtPercentile(HIGH) / MILLIS));
    share(figures, faults(kind), samples.reads().majorFaults(), 1, samples.queries());
    share(figures, read(kind), samples.reads().readBytes(), KIBIBYTE, samples.queries());
    share(figures, minorFaults(kind), samples.reads().minorFaults(), 1, samples.queries());
    double pauses = samples.collectionSeconds() * MILLIS_A_SECOND / samples.seconds();
    figures.put(collections(kind), Figure.of(pauses));
    samples.figures().forEach((name, value) -> figures.put(named(kind, name), Figure.of(value)));
  }

  /** A query's share, with the whole sum and the number of queries as its parts. */
  private static void share(
      Map<Measure, Figure> figures,
      Measure measure,
      @Nullable Long sum,
      double unit,
      long queries) {
    if (sum != null) {
      figures.put(measure, new Figure(sum / unit / queries, List.of(sum / unit, (double) queries)));
    }
  }

  private static Figure mean(List<Double> values) {
    double mean = values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    return new Figure(mean, values);
  }
}
