package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code compare}: runs the same queries on one index through every directory. */
@Command(
    name = "compare",
    description = "Search one index through Lucene's directories and ours, and compare the speeds.",
    footer = {
      "",
      "By default each directory gets 6 forks, each with 2.8 s of warm-up (a JVM is warm after"
          + " about 8) and 1.4 s measured; with --quick 4 forks, 0.7 s and 0.4 s: about a minute.",
      "",
      "Preset: pmem (PmemDirectory and MMapDirectory-pmem, with --dax on persistent memory, else on"
          + " memory that stands for it)."
    })
public final class CompareWorkload extends SearchWorkload {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(6, 2.8, 1.4);

  /* So that 7 columns take about a minute on 2 cores; 3 forks would have intervals twice as wide. */
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.7, 0.4);
  private static final int QUERIES = 10;
  private static final int QUICK_QUERIES = 4;
  private static final List<Pair> PAIRS =
      List.of(
          Pair.of("RamDirectory", "ByteBuffersDirectory"),
          Pair.of("NioDirectory", "NIOFSDirectory"));

  @Mixin private transient DirectoryOptions directories = new DirectoryOptions();

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  private int threads = 1;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "write the blocks that the queries read, once, in the ARC format of Caffeine's simulator"
              + " (gzip)")
  private @Nullable Path trace;

  @Mixin private transient PersistentMemory dax = new PersistentMemory();

  @Override
  public void check() throws IOException {
    RunOptions.positive("--threads", threads);
    run.values(FULL, QUICK);
    super.check();
    dax.check();
    columns();
  }

  private List<Column> columns() {
    return directories.columns(Variants.BASELINE, List.of(), Use.SEARCH);
  }

  @Override
  public Workspace workspace() throws IOException {
    return dax.workspace();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    searchers = threads;
    watched = true;
    List<Column> columns = columns();
    int queries = run.isQuick() ? QUICK_QUERIES : QUERIES;
    prepare(host, List.of(), queries);
    boolean usesHeap = DirectoryOptions.useHeap(columns, Use.SEARCH);
    Plan plan =
        new Plan(
            columns,
            List.of(Variants.BASELINE),
            PAIRS,
            values.forks(),
            JvmFlags.forIndex(usesHeap ? prepared.bytes() : 0),
            "Lucene directories compared",
            List.of(
                prepared.summary() + ".",
                note(
                    prepared.kinds(),
                    "at most " + tasks.queries(queries),
                    columns.size(),
                    pace(),
                    threads,
                    "")),
            Map.of(),
            prepared.skipped());
    if (trace != null) {
      Column traced =
          Column.of(Variants.BASELINE, Use.SEARCH)
              .with("trace", TRACE, trace.toAbsolutePath().toString());
      measure(host, plan, traced, run.seed());
    }
    return plan;
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    return List.of(rates(), ProcessMetrics.figures(Samples::span));
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<Samples>> samples) {
    return PersistentMemory.noted(results, samples, Samples::directory);
  }
}
