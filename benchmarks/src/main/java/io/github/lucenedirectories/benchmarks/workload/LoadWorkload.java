// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import io.github.lucenedirectories.benchmarks.harness.MillisConverter;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.QueryPicker;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code load}: requests at planned times, to every directory. */
@Command(
    name = "load",
    description =
        "Send queries at random times, whether or not earlier ones have been answered, while the"
            + " index is updated and reopened: latencies at each rate, and the highest rate that a"
            + " directory holds.",
    footer = {
      "",
      "By default RamDirectory and HybridDirectory are compared with MMapDirectory.",
      "",
      "By default the rate doubles until requests pile up, and is then narrowed down. Half of what"
          + " the first fork held in the better of two searches is the rate at which the latencies"
          + " of all columns are compared. --seconds is the time at each rate, twice as long at the"
          + " rate in common."
    })
public final class LoadWorkload extends Workload<LoadWorkload.LoadSamples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 10, 5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 3, 2);
  private static final int QUERIES = 50;
  private static final int QUICK_QUERIES = 20;
  private static final int UPDATES = 100;

  /* The moments of a step are held in memory. */
  private static final int MOST_REQUESTS = 5_000_000;

  /* Enough that updates hardly repeat within a merge, and little on the heap. */
  private static final int MOST_LINES = 2_000;

  @Mixin private transient IndexOptions index = new IndexOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Option(
      names = "--gc",
      paramLabel = "NAME",
      description =
          "the garbage collector: G1, ZGC, Parallel, Shenandoah, Serial (default: ${DEFAULT-VALUE})",
      defaultValue = "G1")
  private Collector collector = Collector.G1;

  @Option(
      names = "--heap",
      paramLabel = "BYTES",
      description = "the heap, such as 512m or 2g (default: ${DEFAULT-VALUE})",
      defaultValue = "1g",
      converter = ByteCount.class)
  private long heapBytes = 1L << 30;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 2)")
  int threads = 2;

  @Option(
      names = "--updates",
      paramLabel = "N",
      description =
          "documents updated per second; 0 for an index that stays as it is (default: 100, with"
              + " --index 0)")
  private @Nullable Integer updates;

  @Option(names = "--reopen-millis", paramLabel = "MS", description = "between two; default: 1000")
  int reopenMillis = 1000;

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description = "requests per second to measure (default: search for the capacity)")
  List<Double> rates = List.of();

  @Option(
      names = "--sla",
      paramLabel = "TIME",
      description = "the limit of p99 (default: ${DEFAULT-VALUE})",
      defaultValue = "100ms",
      converter = MillisConverter.class)
  double limitMillis = 100;

  Prepared prepared = Prepared.NONE;

  /* To update with; null for an index that stays as it is. */
  @Nullable PreparedText lines;

  /* Places of the grid of rates between one that is held and one that is not. */
  int finest = 1;

  /* The place in that grid of the rate in common; null while it is not known. */
  @Nullable Integer common;

  /**
   * What a fork measured.
   *
   * @param steps all, in order, the warm-up first
   * @param capacity the highest rate that was held; null if there was none
   * @param common the place in the rate grid of the rate in common; null if the rates were given
   * @param spans of each step
   * @param heapBytes left by full collections after the load
   * @param seconds from the warm-up to the end
   */
  record LoadSamples(
      List<StepResult> steps,
      @Nullable Double capacity,
      @Nullable Integer common,
      List<Span> spans,
      long heapBytes,
      double seconds,
      Recorded lag,
      Recorded reopen,
      int segments) {

    double updatesPerSecond() {
      return lag.count() / seconds;
    }

    /** The last step at a rate, when the JVM was warmest; null if only the warm-up had it. */
    @Nullable StepResult step(double rate) {
      Stream<StepResult> found = steps.stream().skip(1).filter(s -> s.perSecond() == rate);
      return found.reduce((step, later) -> later).orElse(null);
    }

    /** What went on in the JVM during that step; null if there is none. */
    @Nullable Span span(double rate) {
      StepResult step = step(rate);
      return step == null ? null : spans.get(steps.lastIndexOf(step));
    }
  }

  @Override
  public void check() throws IOException {
    RunOptions.Defaults times = run.values(FULL, QUICK);
    RunOptions.positive("--warmup", times.warmupSeconds());
    double longest = Math.max(times.seconds(), times.warmupSeconds());
    for (double rate : rates) {
      RunOptions.positive("--rates", rate);
      RunOptions.refuse(
          rate * longest > MOST_REQUESTS,
          Numbers.text(
              "--rates times --seconds, or --warmup, must be at most %,d requests: %,.0f for %,.0f"
                  + " s",
              MOST_REQUESTS, rate, longest));
    }
    index.check();
    tasks.check();
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    RunOptions.refuse(updates() < 0, "--updates must not be negative: " + updates);
    RunOptions.refuse(
        updates() > 0 && index.source().index() != null,
        "--index names an index whose documents are not known: give --updates 0");
    RunOptions.refuse(heapBytes >> 20 == 0, "--heap must be at least 1m: " + heapBytes);
    columns();
  }

  int updates() {
    return updates != null ? updates : index.source().index() == null ? UPDATES : 0;
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    rates = rates.stream().distinct().toList();
    finest = run.isQuick() ? 2 : 1;
    IndexSource given = index.source();
    Path chosen = host.workspace().file("queries.tasks");
    prepared =
        new Preparation(
                new IndexSource(given.index(), given.text(), false, given.field()),
                tasks,
                List.of(QueryPicker.HARDEST),
                host.out())
            .run(
                host.workspace(),
                tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES),
                run.seed(),
                chosen);
    updates = updates();
    lines = updates == 0 ? null : PreparedText.prepare(host.workspace(), given.text(), MOST_LINES);
    return new Plan(
        columns(),
        List.of(Variants.BASELINE),
        List.of(),
        values.forks(),
        new JvmFlags(heapBytes >> 20, collector),
        "Lucene directories under load",
        List.of(
            prepared.summary() + ". Each directory begins with a copy of it.",
            Numbers.text(
                "Queries of %s, answered by %d threads; %s.",
                String.join(", ", prepared.kinds()),
                threads,
                updates == 0
                    ? "no updates"
                    : Numbers.text(
                        "%,d updates per second, a reopen every %,d ms", updates, reopenMillis)),
            Numbers.text(
                "%.1f s of warm-up are dropped, then each step takes %.1f s. Requests come at"
                    + " Poisson times. A rate is held if p99 is within %s ms. %s",
                values.warmupSeconds(),
                values.seconds(),
                Numbers.rate(limitMillis),
                rates.isEmpty()
                    ? "The rate in common is half of what the first fork held in the better of two"
                        + " searches, for twice that time."
                    : "The rates were given.")),
        Map.of("queries", Files.readAllLines(chosen)),
        prepared.skipped());
  }

  private List<Column> columns() {
    return directories.columns(
        Variants.BASELINE, List.of("RamDirectory", "HybridDirectory"), Use.WRITE);
  }

  @Override
  public LoadSamples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, plan.flags(), column, seed, List.of())) {
      LoadSamples found = result(child);
      common = common == null ? found.common() : common;
      return found;
    }
  }

  @Override
  public LoadSamples run(Column column, Fork fork) throws IOException {
    try (LoadRun load = new LoadRun(this, column, fork)) {
      return load.run();
    }
  }

  private List<Double> commonRates() {
    return common == null ? rates : List.of(CapacitySearch.rate(common));
  }

  @Override
  public List<Figures<LoadSamples>> figures(Plan plan) {
    return LoadFigures.of(commonRates());
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<LoadSamples>> samples) {
    return LoadFigures.complete(results, commonRates(), this, samples);
  }
}
