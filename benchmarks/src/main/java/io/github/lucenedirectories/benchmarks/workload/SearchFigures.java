// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.Opening;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What is reported of forks that searched. */
public final class SearchFigures {
  public static final String KIND_MEANING =
      "p50 and p99: latency of a query in a closed loop. faults: page faults that waited for a"
          + " device. read: bytes that the process made the system read from devices, with what was"
          + " read ahead. requests: reads that the index's device completed, for all processes."
          + " These three are a query's share of all while the kind ran. until steady: how long"
          + " the kind ran unmeasured before that.";

  public static final String FORK_MEANING =
      "open: the directory and a reader, under a limit while nothing of the index is in the page"
          + " cache; a directory that holds the index in memory reads all of it then. merge: of"
          + " half of the index, by the clock, while the queries of the kind Merging ran. peak: the"
          + " most memory of the fork's group, page cache included. page cache: that of the group"
          + " in the end. In the end:"
          + ProcessMetrics.MEMORY_MEANING;

  public static final String OPEN = "open";

  /* What a directory with a block cache counts. */
  private static final String HIT_RATE = "hit rate";
  private static final String CACHED = "BlockCacheDirectory";

  private static final double MILLIS_A_SECOND = 1e3;
  static final double KIBIBYTE = 1 << 10;
  static final double MEBIBYTE = 1 << 20;

  private SearchFigures() {}

  /** The rates first, then a group for each kind, then those of the forks. */
  public static List<Figures<SearchSamples>> of(List<String> kinds, Plan plan) {
    boolean cached = plan.columns().stream().anyMatch(c -> c.variant().startsWith(CACHED));
    List<Figures<SearchSamples>> all = new ArrayList<>();
    all.add(Figures.rates(kinds, (fork, kind) -> fork.kind(kind).rate(), (_, _) -> List.of()));
    for (String kind : kinds) {
      List<Figure<SearchSamples>> figures = new ArrayList<>();
      figures.addAll(Recorded.figures(kind, List.of("p50", "p99"), f -> f.kind(kind).latencies()));
      figures.add(share(kind, "faults", "faults", "a query", 1, Value.MAJOR_FAULTS));
      figures.add(share(kind, "read", "read", "KiB a query", KIBIBYTE, Value.READ_BYTES));
      figures.add(counted(kind, SearchFork.REQUESTS, "a query"));
      figures.add(counted(kind, WarmSearch.UNTIL_STEADY, "s"));
      if (cached) {
        figures.add(counted(kind, HIT_RATE, ""));
      }
      all.add(Figures.everywhere(kind, KIND_MEANING, figures));
    }
    List<Figure<SearchSamples>> whole = new ArrayList<>();
    whole.add(opening(OPEN, OPEN, "ms", Better.LOWER, o -> o.seconds() * MILLIS_A_SECOND));
    whole.add(
        opening(
            "open, read",
            "read",
            "MiB",
            Better.NEITHER,
            o -> scaled(o.reads().get(Value.READ_BYTES), MEBIBYTE)));
    whole.add(new Figure<>("merge", "merge", "s", Better.LOWER, SearchFigures::mergeSeconds));
    whole.add(figure("peak memory", "peak", "MiB", f -> scaled(f.peakBytes(), MEBIBYTE)));
    whole.add(figure("page cache", "page cache", "MiB", f -> scaled(f.cacheBytes(), MEBIBYTE)));
    whole.add(figure("recall", "recall", "", SearchSamples::recall));
    whole.addAll(ProcessMetrics.memory(SearchSamples::footprint));
    all.add(Figures.everywhere("Open, and memory", FORK_MEANING, whole));
    List<Figure<SearchSamples>> pauses = new ArrayList<>();
    for (String kind : kinds) {
      pauses.add(share(kind, "minor faults", kind, "faults a query", 1, Value.MINOR_FAULTS));
      pauses.add(figure(kind + " pauses, all", kind, "ms/s", f -> f.kind(kind).pausesPerSecond()));
    }
    all.add(
        Figures.onPage(
            "Minor faults and pauses",
            "Page faults that found their page in memory; and what the garbage collector took while"
                + " a kind ran, as the JVM reports it.",
            pauses));
    return all;
  }

  private static @Nullable Double mergeSeconds(SearchSamples fork) {
    KindSamples merging = fork.kinds().get(MergeSearch.MERGING);
    return merging == null ? null : merging.figures().get(MergeSearch.MERGE_SECONDS);
  }

  private static Figure<SearchSamples> figure(
      String task, String heading, String unit, Function<SearchSamples, @Nullable Double> value) {
    return new Figure<>(task, heading, unit, Better.NEITHER, value);
  }

  private static Figure<SearchSamples> counted(String kind, String name, String unit) {
    return figure(kind + " " + name, name, unit, f -> f.kind(kind).figures().get(name));
  }

  /** A query's share. */
  static Figure<SearchSamples> share(
      String kind, String name, String heading, String unit, double scale, Value value) {
    return figure(
        kind + " " + name,
        heading,
        unit,
        fork -> scaled(fork.kind(kind).reads().get(value), scale * fork.kind(kind).queries()));
  }

  /** The mean over a fork's openings; null if one of them has no value. */
  private static Figure<SearchSamples> opening(
      String task,
      String heading,
      String unit,
      Better better,
      Function<Opening, @Nullable Double> value) {
    return new Figure<>(
        task,
        heading,
        unit,
        better,
        fork -> {
          List<Double> all = fork.openings().stream().map(value).filter(Objects::nonNull).toList();
          return all.size() < fork.openings().size()
              ? null
              : Double.valueOf(all.stream().mapToDouble(v -> v).average().orElseThrow());
        });
  }

  static @Nullable Double scaled(@Nullable Long value, double unit) {
    return value == null ? null : Double.valueOf(value / unit);
  }
}
