package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.variants.TracedDirectory;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * Searches one index: a fork opens a reader, answers every query once, and, once its parent has
 * compared the answers with those of the baseline, warms up and measures.
 */
abstract class SearchWorkload extends Workload<SearchWorkload.Samples> {
  /** The setting with the path of a trace: the fork records the blocks that all queries read. */
  static final String TRACE = "trace";

  @Mixin transient IndexOptions index = new IndexOptions();

  @Mixin transient TaskOptions tasks = new TaskOptions();

  Prepared prepared = Prepared.NONE;
  int searchers = 1;

  /* Whether to record what else goes on in the process, which takes half a second more. */
  boolean watched;

  private final transient HitsCheck hits = new HitsCheck();

  /** The rates of each kind's repetitions, in order; no span if the process was not watched. */
  record Samples(
      Map<String, List<Double>> queriesPerSecond, String directory, @Nullable Span span) {

    private List<Double> of(String kind) {
      return Objects.requireNonNull(queriesPerSecond.get(kind), kind);
    }
  }

  @Override
  public void check() throws IOException {
    index.check();
    tasks.check();
  }

  /** Prepares the index and the queries, of these kinds unless the user names some. */
  void prepare(Host host, List<String> kinds, int queries) throws IOException {
    prepared =
        new Preparation(index.source(), tasks, kinds, host.out())
            .run(
                host.workspace(),
                tasks.queries(queries),
                run.seed(),
                host.out().resolve("queries.tasks"));
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
    String trace = column.settings().get(TRACE);
    Variant variant = column.named(Use.SEARCH);
    try (Directory directory =
            trace == null
                ? variant.read(path, fork.folder(variant))
                : TracedDirectory.open(path, Path.of(trace));
        IndexReader reader = DirectoryReader.open(directory)) {
      HitsCheck.send(fork, queries, new SearchContext(reader));
      fork.await();
      if (trace != null) {
        return new Samples(Map.of(), directory.toString(), null);
      }
      try (SearchLoop loop = new SearchLoop(queries, reader, searchers, fork.seed());
          ProcessMetrics metrics = watched ? new ProcessMetrics() : null) {
        loop.run(values.warmupSeconds());
        if (metrics == null) {
          return new Samples(loop.run(values.seconds()), directory.toString(), null);
        }
        metrics.mark();
        Map<String, List<Double>> rates = loop.run(values.seconds());
        metrics.mark();
        return new Samples(rates, directory.toString(), metrics.finishParts());
      }
    }
  }

  final Figures<Samples> rates() {
    return rates(prepared.kinds(), Samples::of);
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
}
