package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Harness;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Figures.Shown;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.variants.TracedDirectory;
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
import org.jspecify.annotations.Nullable;

/**
 * A fork that searches one index: it opens a reader, answers every query once, and, once its parent
 * has compared the answers with those of the baseline, warms up and measures.
 */
final class Search {
  /** The setting of a column with the name of a second directory in the same JVM. */
  static final String BESIDE = "beside";

  /** The setting with the path of a trace: the fork records the blocks that all queries read. */
  static final String TRACE = "trace";

  /** What the parent says when a fork may go on. */
  static final String GO = "go";

  private Search() {}

  /**
   * What a fork does.
   *
   * @param index the index's path
   * @param tasks the path of a task file, all of whose lines can run
   * @param kinds the kinds of the lines
   * @param field the text field
   * @param warmupSeconds searched and dropped
   * @param seconds searched and timed
   * @param threads that search
   * @param watched whether to record what else goes on in the process, which takes half a second
   *     more
   */
  record Input(
      String index,
      String tasks,
      List<String> kinds,
      String field,
      double warmupSeconds,
      double seconds,
      int threads,
      boolean watched) {}

  /**
   * What a fork measured.
   *
   * @param queriesPerSecond for each kind, one value for each repetition, in order
   * @param directory its {@code toString}
   * @param span what else went on in the process; null if it was not watched
   */
  record Samples(
      Map<String, List<Double>> queriesPerSecond, String directory, @Nullable Span span) {

    private List<Double> of(String kind) {
      return Objects.requireNonNull(queriesPerSecond.get(kind), kind);
    }
  }

  /** The part of the parent: compares the fork's answers before it lets the fork measure. */
  static Samples measure(ChildJvm child, Column column, HitsCheck hits) throws IOException {
    try (child) {
      hits.check(column.label(), child.await(Answers.ANSWERED, Answers.class));
      child.send(GO);
      Samples samples = child.await(Harness.MEASURED, Samples.class);
      child.finish();
      return samples;
    }
  }

  /** The part of the fork. */
  static Samples run(Input input, Column column, Fork fork) throws IOException {
    List<NamedTask> tasks = NamedTask.read(Path.of(input.tasks()), input.field());
    Path index = Path.of(input.index());
    String trace = column.settings().get(TRACE);
    String beside = column.settings().get(BESIDE);
    // A second directory takes half of the time.
    int share = beside == null ? 1 : 2;
    try (Directory directory =
            trace == null
                ? open(column.variant(), index, fork)
                : TracedDirectory.open(index, Path.of(trace));
        IndexReader reader = DirectoryReader.open(directory);
        Directory other = beside == null ? null : open(beside, index, fork);
        IndexReader second = other == null ? null : DirectoryReader.open(other)) {
      fork.send(Answers.ANSWERED, Answers.ask(tasks, new SearchContext(reader)));
      fork.await(GO);
      if (trace != null) {
        return new Samples(Map.of(), directory.toString(), null);
      }
      try (SearchLoop loop = new SearchLoop(tasks, reader, second, input.threads(), fork.seed());
          ProcessMetrics metrics = input.watched() ? new ProcessMetrics() : null) {
        loop.run(input.warmupSeconds() * share);
        if (metrics == null) {
          return new Samples(loop.run(input.seconds() * share), directory.toString(), null);
        }
        metrics.mark();
        Map<String, List<Double>> rates = loop.run(input.seconds() * share);
        metrics.mark();
        return new Samples(rates, directory.toString(), metrics.finishParts());
      }
    }
  }

  private static Directory open(String name, Path index, Fork fork) throws IOException {
    Variant variant = Variants.named(name, Use.SEARCH);
    return variant.read(index, fork.folder(variant));
  }

  /** The rates of all kinds. */
  static Figures<Samples> rates(List<String> kinds) {
    return rates(kinds, Samples::of);
  }

  /**
   * The rates of all kinds.
   *
   * @param repetitions the queries per second of a kind, one or more values
   */
  static <S> Figures<S> rates(List<String> kinds, BiFunction<S, String, List<Double>> repetitions) {
    return new Figures<>(
        "Queries per second",
        "Of each kind: the median over a JVM's repetitions, and of these the median over JVMs.",
        Shown.EVERYWHERE,
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
