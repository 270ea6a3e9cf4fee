// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code compare}: runs the same queries on one index through every directory. A fork opens a
 * reader, answers every query once, and, once its parent has compared the answers with those of the
 * baseline, warms up and measures.
 */
@Command(
    name = "compare",
    description = "Search one index through Lucene's directories and ours, and compare the speeds.",
    footer = {
      "",
      "By default each directory gets 6 forks, each with 2.8 s of warm-up (a JVM is warm after"
          + " about 8) and 1.4 s measured; with --quick 4 forks, 0.7 s and 0.4 s: about a minute."
    })
public final class CompareWorkload extends Workload<CompareWorkload.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(6, 2.8, 1.4);

  /* So that 7 columns take about a minute on 2 cores; 3 forks would have intervals twice as wide. */
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.7, 0.4);
  private static final int QUERIES = 10;
  private static final int QUICK_QUERIES = 4;
  private static final List<Pair> PAIRS =
      List.of(
          Pair.of("RamDirectory", "ByteBuffersDirectory"),
          Pair.of("NioDirectory", "NIOFSDirectory"));

  @Mixin private transient IndexOptions index = new IndexOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  private int threads = 1;

  @Mixin private transient PersistentMemory dax = new PersistentMemory();

  private Prepared prepared = Prepared.NONE;

  private final transient HitsCheck hits = new HitsCheck();

  /** The rates of each kind's repetitions, in order. */
  record Samples(Map<String, List<Double>> queriesPerSecond, String directory, Span span) {

    private List<Double> of(String kind) {
      return Objects.requireNonNull(queriesPerSecond.get(kind), kind);
    }
  }

  @Override
  public void check() throws IOException {
    RunOptions.positive("--threads", threads);
    run.values(FULL, QUICK);
    index.check();
    tasks.check();
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
    List<Column> columns = columns();
    int queries = tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES);
    prepared =
        new Preparation(index.source(), tasks, List.of(), host.out())
            .run(host.workspace(), queries, run.seed(), host.out().resolve("queries.tasks"));
    boolean usesHeap = DirectorySelection.useHeap(columns, Use.SEARCH);
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        PAIRS,
        values.forks(),
        JvmFlags.forIndex(usesHeap ? prepared.bytes() : 0),
        "Lucene directories compared",
        List.of(
            prepared.summary() + ".",
            note(prepared.kinds(), "at most " + queries, columns.size(), pace(), threads, "")),
        Map.of(),
        prepared.skipped());
  }

  /** Compares the fork's answers before it lets the fork measure. */
  @Override
  public Samples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, plan.flags(), column, seed, List.of())) {
      hits.check(column.label(), child);
      child.resume();
      return result(child);
    }
  }

  @Override
  public Samples run(Column column, Fork fork) throws IOException {
    List<Task> queries = prepared.read();
    Path path = Path.of(prepared.index());
    Variant variant = column.named(Use.SEARCH);
    try (Directory directory = variant.read(path, fork.folder(variant));
        IndexReader reader = DirectoryReader.open(directory)) {
      HitsCheck.send(fork, queries, new SearchContext(reader));
      fork.await();
      ProcessMetrics metrics = new ProcessMetrics();
      try (SearchLoop loop = new SearchLoop(queries, reader, threads, fork.seed())) {
        loop.run(values.warmupSeconds());
        metrics.mark();
        Map<String, List<Double>> rates = loop.run(values.seconds());
        metrics.mark();
        return new Samples(rates, directory.toString(), metrics.finishParts());
      }
    }
  }

  /** The rates of kinds, each with one value or more. */
  static <S> Figures<S> rates(List<String> kinds, BiFunction<S, String, List<Double>> repetitions) {
    return new Figures<>(
        "Queries per second",
        "Of each kind: the median over a JVM's repetitions, and of these the median over JVMs.",
        true,
        true,
        kinds.stream()
            .map(
                kind ->
                    new Figure<S>(
                        kind,
                        kind,
                        "queries/s",
                        Better.HIGHER,
                        s -> Medians.of(repetitions.apply(s, kind)),
                        s -> repetitions.apply(s, kind)))
            .toList());
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    return List.of(rates(prepared.kinds(), Samples::of), ProcessMetrics.figures(Samples::span));
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<Samples>> samples) {
    return PersistentMemory.noted(results, samples, Samples::directory);
  }
}
