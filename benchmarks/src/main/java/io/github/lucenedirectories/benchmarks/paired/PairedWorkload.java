// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.MeasuringCommand;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.workload.HitsCheck;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * A command that searches an index in memory through several directories, which take turns in one
 * JVM. A round is one JVM.
 */
public abstract class PairedWorkload extends MeasuringCommand<PairedSamples> {
  /* Long enough to warm caches and branch predictors, and shorter than most disturbances. */
  private static final double TURN_SECONDS = 0.05;
  private static final double QUICK_TURN_SECONDS = 0.02;

  /** The kinds that stand for all in a quick run: cheap and dear ones. */
  protected static final List<String> QUICK_KINDS =
      List.of("HighTerm", "AndHighMed", "Phrase", "PKLookup", "Stored");

  protected Prepared prepared = Prepared.NONE;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  protected int threads = 1;

  private final transient HitsCheck hits = new HitsCheck();

  /** The label of a directory in another build of this library. */
  protected static String before(String label) {
    return label + " (before)";
  }

  /** The same column with the library's classes of another build. */
  protected static Column otherBuild(Column column, String classPath) {
    return column.with(before(column.label()), PairedSearch.CLASS_PATH, classPath);
  }

  /** The same column, whose queries take longer. */
  protected static Column slowed(Column column, double percent) {
    String label = Numbers.text("%s slowed by %.0f %%", column.label(), percent);
    return column.with(label, PairedSearch.SLOWDOWN, "" + percent / 100);
  }

  /** Flags for a JVM that holds all columns at once; refuses what does not fit in memory. */
  protected final JvmFlags flags(List<Column> columns, long availableBytes) {
    double memory = 0;
    double heap = 0;
    for (Column column : columns) {
      Variant variant = column.named(Use.SEARCH);
      memory += variant.shareInMemory() * prepared.bytes();
      heap += variant.usesHeap() ? variant.shareInMemory() * prepared.bytes() : 0;
    }
    if (memory > availableBytes) {
      throw new UsageException(
          Numbers.text(
              "these directories hold %s of the index in memory at once, and %s are free: name"
                  + " fewer --directories",
              Numbers.bytes((long) memory), Numbers.bytes(availableBytes)));
    }
    return JvmFlags.forIndex((long) heap);
  }

  /** How queries were run. */
  protected final String note(String queries, int directories) {
    return Numbers.text(
        "Kinds of query: %d, with %s. %d JVMs; in each, %d directories took turns of %.0f ms, after"
            + " at most %.0f s of warm-up, for %.0f s. A directory's rate is the baseline's, times the"
            + " mean of the middle half of the ratios of two turns of the same round. Threads that search: %d; seed %d. Hits"
            + " identical on every directory.",
        prepared.kinds().size(),
        queries,
        values.forks(),
        directories,
        turnSeconds() * 1e3,
        values.warmupSeconds(),
        values.seconds(),
        threads,
        run.seed());
  }

  private double turnSeconds() {
    return run.isQuick() ? QUICK_TURN_SECONDS : TURN_SECONDS;
  }

  @Override
  public void check() throws IOException {
    RunOptions.positive("--threads", threads);
  }

  /** Starts a JVM, and compares all answers before it lets the JVM measure. */
  @Override
  protected Map<String, PairedSamples> round(Host host, Plan plan, List<Column> order, long seed)
      throws IOException {
    List<Column> columns = plan.columns();
    PairedSearch search =
        new PairedSearch(
            prepared,
            columns,
            threads,
            values.warmupSeconds(),
            values.seconds(),
            turnSeconds(),
            seed,
            host.scratch().toString());
    host.progress().step("a JVM with all directories");
    try (ChildJvm child =
        ChildJvm.start(host.workspace(), plan.flags(), name(), search, List.of())) {
      for (Column column : columns) {
        hits.check(column.label(), child);
      }
      child.resume();
      List<PairedSamples> found = child.result(PairedSearch.Found.class).columns();
      Map<String, PairedSamples> samples = new HashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        samples.put(columns.get(i).label(), found.get(i));
        host.progress().stepDone();
      }
      return samples;
    } finally {
      host.removeScratch();
    }
  }

  @Override
  public final List<Figures<PairedSamples>> figures(Plan plan) {
    return List.of(
        Figures.rates(prepared.kinds(), PairedSamples::rate, PairedSamples::turns),
        Figures.onPage(
            "What the JVM did",
            "allocated: on the heap, for each query. collecting: the share of its turns that garbage"
                + " collections took. compiling: the JIT compiler's share of the measured time, of"
                + " all directories together.",
            List.of(
                Figure.told("allocated", "KiB a query", s -> s.allocatedBytes() / 1024),
                Figure.told("collecting", "%", s -> s.collecting() * 100),
                Figure.told("warm-up", "s", PairedSamples::warmupSeconds),
                Figure.told("compiling", "%", s -> s.compiling() * 100))));
  }
}
