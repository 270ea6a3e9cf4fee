// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Searches with little memory. Under a limit each fork has a group of its own, and begins with
 * nothing of the index in the page cache. Its answers are compared when all is measured, under the
 * limit too.
 */
public abstract class LimitedWorkload extends Workload<LimitedWorkload.Samples> {
  protected static final String KIND_MEANING =
      "p50 and p99: latency of a query in a closed loop. faults: page faults that waited for a"
          + " device. read: bytes that the process made the system read from devices, with what was"
          + " read ahead. requests: reads that the index's device completed, for all processes."
          + " These three are a query's share of all while the kind ran.";

  protected static final String FORK_MEANING =
      "open: the directory and a reader, under a limit while nothing of the index is in the page"
          + " cache; a directory that holds the index in memory reads all of it then. merge: of"
          + " half of the index, by the clock, while the queries of the kind Merging ran. peak: the"
          + " most memory of the fork's group, page cache included. In the end:"
          + ProcessMetrics.MEMORY_MEANING;

  public static final String OPEN = "open";

  static final RunOptions.Defaults FULL = new RunOptions.Defaults(4, 8, 16);
  static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 0.8, 1.6);

  static final String DRAW =
      "how queries are drawn from their list: uniform, zipf (exponent 1), or repeat, which"
          + " draws the same 100 over and over (default: ";

  /* What --limit takes besides a size; half of the index is what it takes for nothing. */
  static final String UNLIMITED = "none";
  static final String HALF = "half";

  private static final long MOST_HEAP_MEGABYTES = 512;

  /* A long run fills the smallest heap, and needs more beside it than a short one. */
  private static final long LEAST_LIMIT_BYTES = 224L << 20;
  private static final List<String> QUICK_KINDS =
      List.of("MedTerm", "Phrase", "PKLookup", "Stored");
  private static final int COPIES = 16;
  private static final int QUICK_COPIES = 8;

  /* What the device of the index counts. */
  static final String REQUESTS = "requests";

  /* What a directory with a block cache counts. */
  private static final String HIT_RATE = "hit rate";
  private static final String CACHED = "BlockCacheDirectory";

  private static final double MILLIS_A_SECOND = 1e3;
  static final double KIBIBYTE = 1 << 10;
  static final double MEBIBYTE = 1 << 20;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  protected int threads = 1;

  Draw.Way draw = Draw.Way.UNIFORM;

  protected Prepared prepared = Prepared.NONE;

  protected Memory memory = new Memory(0, 0, 0);

  /** Limit the memory; null to measure in all that there is, and to leave the page cache alone. */
  protected transient @Nullable Cgroups groups;

  boolean isCold;

  /* Whether a fork restarts halfway, with nothing of the index in the page cache. */
  boolean restarts;

  /* Of each kind, how many are compared. */
  int answers = 10;

  /* The path of a folder to be made for a merge during the queries; null for none. */
  @Nullable String mergeFolder;

  private final transient HitsCheck hits = new HitsCheck();

  /**
   * What a fork measured.
   *
   * @param openings the first one of a warm fork, or one before each kind
   * @param mergeSeconds how long the merge took that ran during the last kind; null if none did
   * @param peakBytes the most memory that its group had; null where the kernel does not say
   * @param recall null where it is unknown
   */
  public record Samples(
      Map<String, KindSamples> kinds,
      List<Opening> openings,
      @Nullable Double mergeSeconds,
      ProcessReading footprint,
      @Nullable Long peakBytes,
      @Nullable Double recall) {

    private Samples withPeak(OptionalLong bytes) {
      Long peak = bytes.isPresent() ? bytes.getAsLong() : null;
      return new Samples(kinds, openings, mergeSeconds, footprint, peak, recall);
    }

    Samples with(Map<String, KindSamples> all) {
      return new Samples(all, openings, mergeSeconds, footprint, peakBytes, recall);
    }

    public KindSamples kind(String name) {
      return Objects.requireNonNull(kinds.get(name), name);
    }
  }

  /** What a fork measured of one kind: seconds by the clock, and figures of the directory. */
  public record KindSamples(
      Recorded latencies,
      double seconds,
      ProcessReading reads,
      double collectionSeconds,
      Map<String, Double> figures) {

    public long queries() {
      return latencies.count();
    }

    public double rate() {
      return queries() / seconds;
    }

    private double pauses() {
      return collectionSeconds * MILLIS_A_SECOND / seconds;
    }
  }

  public record Opening(double seconds, ProcessReading reads) {}

  /** All kinds that are measured. */
  List<String> sampled() {
    return mergeFolder == null
        ? prepared.kinds()
        : List.of(LimitedSearch.QUIET, LimitedSearch.MERGING);
  }

  /** The queries of a fork. */
  List<Task> tasks() throws IOException {
    return prepared.read();
  }

  /** The share of the best hits among those that a fork found; null where that is unknown. */
  @Nullable Double recall(List<Answer> answers) throws IOException {
    return null;
  }

  /** Finds or builds an index, and chooses queries of text. */
  final void prepare(Host host, IndexOptions index, TaskOptions tasks, int queries)
      throws IOException {
    Corpus copies = new Corpus(List.of(), run.isQuick() ? QUICK_COPIES : COPIES);
    IndexSource source =
        index.isGiven() ? index.source() : new IndexSource(null, copies, false, Fields.BODY);
    prepared =
        new Preparation(source, tasks, run.isQuick() ? QUICK_KINDS : List.of(), host.out())
            .run(host.workspace(), queries, run.seed(), host.out().resolve("queries.tasks"));
  }

  final long limitBytes(String limit) {
    return switch (limit) {
      case UNLIMITED -> Long.MAX_VALUE;
      case HALF -> Math.max(LEAST_LIMIT_BYTES, prepared.bytes() / 2);
      default -> Memory.bytes("--limit", limit, prepared.bytes(), 0);
    };
  }

  /** Limits the next fork. All have the same heap, so that limits differ in page cache alone. */
  final void limit(String limit, List<String> all, @Nullable Cgroups limiting) throws IOException {
    long least = all.stream().mapToLong(this::limitBytes).min().orElseThrow();
    long heap = Math.min(MOST_HEAP_MEGABYTES, Memory.usualHeapMegabytes(least));
    memory = new Memory(limitBytes(limit), heap, prepared.bytes());
    memory.checkHeap("a larger --limit, or a larger index");
    groups = limit.equals(UNLIMITED) ? null : limiting;
    if (groups != null) {
      memory.checkLimit(groups.leastLimitAbove());
    }
  }

  /** A new group with the limit; null without one. The caller closes it. */
  protected final Cgroups.@Nullable Group group(Host host) throws IOException {
    if (groups == null) {
      return null;
    }
    Cgroups.Group group = groups.make(memory.limitBytes());
    host.workspace().alsoClose(group);
    return group;
  }

  @Override
  public Samples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    IndexPages pages = new IndexPages(Path.of(prepared.index()));
    if (groups != null || restarts) {
      pages.drop();
    }
    try (Cgroups.Group group = group(host)) {
      List<String> launcher = group == null ? List.of() : group.launcher();
      try (ChildJvm child = host.start(this, plan.flags(), column, seed, launcher)) {
        int closings = restarts ? 1 : isCold ? prepared.kinds().size() : 0;
        for (int i = 0; i < closings; i++) {
          child.await(LimitedSearch.CLOSED, String.class);
          pages.drop();
          child.resume();
        }
        child.await(LimitedSearch.DONE, String.class);
        OptionalLong peak = group == null ? OptionalLong.empty() : group.peakBytes();
        child.resume();
        hits.check(column.label(), child);
        return result(child).withPeak(peak);
      } catch (RunFailedException e) {
        if (group == null || !group.hasKilled()) {
          throw e;
        }
        throw new RunFailedException(
            Numbers.text(
                "the system killed the fork of %s: %s are too little for it; give a larger --limit"
                    + " or a smaller --heap",
                column.label(), Numbers.bytes(memory.limitBytes())),
            e);
      }
    }
  }

  @Override
  public Samples run(Column column, Fork fork) throws IOException {
    try (LimitedSearch search = new LimitedSearch(this, column, fork)) {
      return search.run();
    }
  }

  public static String high(String kind) {
    return kind + " p99";
  }

  /** The rates first, then a group for each kind, then those of the forks. */
  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    List<String> kinds = sampled();
    boolean cached = plan.columns().stream().anyMatch(c -> c.variant().startsWith(CACHED));
    List<Figures<Samples>> all = new ArrayList<>();
    all.add(CompareWorkload.rates(kinds, (fork, kind) -> List.of(fork.kind(kind).rate())));
    for (String kind : kinds) {
      List<Figure<Samples>> figures = new ArrayList<>();
      figures.addAll(Recorded.figures(kind, List.of("p50", "p99"), f -> f.kind(kind).latencies()));
      figures.add(share(kind, "faults", "faults", "a query", 1, Value.MAJOR_FAULTS));
      figures.add(share(kind, "read", "read", "KiB a query", KIBIBYTE, Value.READ_BYTES));
      figures.add(counted(kind, REQUESTS, "a query"));
      if (cached) {
        figures.add(counted(kind, HIT_RATE, ""));
      }
      all.add(Figures.everywhere(kind, KIND_MEANING, figures));
    }
    List<Figure<Samples>> whole = new ArrayList<>();
    whole.add(opening(OPEN, OPEN, "ms", Better.LOWER, o -> o.seconds() * MILLIS_A_SECOND));
    whole.add(
        opening(
            "open, read",
            "read",
            "MiB",
            Better.NEITHER,
            o -> scaled(o.reads().get(Value.READ_BYTES), MEBIBYTE)));
    whole.add(new Figure<>("merge", "merge", "s", Better.LOWER, Samples::mergeSeconds));
    whole.add(figure("peak memory", "peak", "MiB", f -> scaled(f.peakBytes(), MEBIBYTE)));
    whole.add(figure("recall", "recall", "", Samples::recall));
    whole.addAll(ProcessMetrics.memory(Samples::footprint));
    all.add(Figures.everywhere("Open, and memory", FORK_MEANING, whole));
    List<Figure<Samples>> pauses = new ArrayList<>();
    for (String kind : kinds) {
      pauses.add(share(kind, "minor faults", kind, "faults a query", 1, Value.MINOR_FAULTS));
      pauses.add(figure(kind + " pauses, all", kind, "ms/s", f -> f.kind(kind).pauses()));
    }
    all.add(
        Figures.onPage(
            "Minor faults and pauses",
            "Page faults that found their page in memory; and what the garbage collector took while"
                + " a kind ran, as the JVM reports it. Safepoints and handshakes are not recorded,"
                + " since that would take memory of the limit.",
            pauses));
    return all;
  }

  private static Figure<Samples> figure(
      String task, String heading, String unit, Function<Samples, @Nullable Double> value) {
    return new Figure<>(task, heading, unit, Better.NEITHER, value);
  }

  private static Figure<Samples> counted(String kind, String name, String unit) {
    return figure(kind + " " + name, name, unit, f -> f.kind(kind).figures().get(name));
  }

  /** A query's share, with the whole sum and the number of queries as its parts. */
  static Figure<Samples> share(
      String kind, String name, String heading, String unit, double scale, Value value) {
    Function<Samples, @Nullable Double> sum =
        fork -> scaled(fork.kind(kind).reads().get(value), scale);
    return new Figure<>(
        kind + " " + name,
        heading,
        unit,
        Better.NEITHER,
        fork -> {
          Double all = sum.apply(fork);
          return all == null ? null : Double.valueOf(all / fork.kind(kind).queries());
        },
        fork -> {
          Double all = sum.apply(fork);
          return all == null ? List.of() : List.of(all, (double) fork.kind(kind).queries());
        });
  }

  /** The mean over a fork's openings; null if one of them has no value. */
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
        fork ->
            parts.apply(fork).size() < fork.openings().size()
                ? null
                : Double.valueOf(
                    parts.apply(fork).stream().mapToDouble(v -> v).average().orElseThrow()),
        parts);
  }

  static @Nullable Double scaled(@Nullable Long value, double unit) {
    return value == null ? null : Double.valueOf(value / unit);
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<Samples>> samples) {
    return results.withLatencies(
        sampled().stream()
            .flatMap(
                k -> Recorded.latencies(name(), k, samples, f -> f.kind(k).latencies()).stream())
            .toList());
  }
}
