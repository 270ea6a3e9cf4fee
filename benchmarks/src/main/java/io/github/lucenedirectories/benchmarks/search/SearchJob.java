package io.github.lucenedirectories.benchmarks.search;

import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.watch.Watch;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A searching fork: opens one reader over one directory, answers every task once, and, when the
 * parent has found the answers right, warms up and measures.
 */
public final class SearchJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "search";

  /** Said by the fork: the answers are written. */
  public static final String ANSWERED = "answered";

  /** Said by the parent: the answers are right. */
  public static final String GO = "go";

  /** Said by the fork, with its {@link SearchSamples}. */
  public static final String MEASURED = "measured";

  private final Deque<Closeable> open = new ArrayDeque<>();

  @Override
  public void run(Fork parent) throws IOException {
    SearchSpec spec = parent.spec(SearchSpec.class);
    List<NamedTask> tasks = ChosenTasks.read(Path.of(spec.tasks()), spec.field());
    try {
      Directory directory = ReadableDirectory.named(spec.directory()).open(Path.of(spec.index()));
      IndexReader reader = open(directory);
      Answers.ask(tasks, new SearchContext(reader)).write(Path.of(spec.answers()));
      parent.send(ANSWERED, "");
      parent.await(GO);
      String beside = spec.beside();
      IndexReader other =
          beside == null ? null : open(ReadableDirectory.named(beside).open(Path.of(spec.index())));
      List<TimedLoop.Alone> members =
          IntStream.range(0, spec.threads())
              .mapToObj(
                  thread ->
                      new TimedLoop.Alone(
                          new SearchContext(reader),
                          other == null ? List.of() : List.of(new SearchContext(other))))
              .toList();
      parent.send(MEASURED, measure(spec, tasks, members, directory.toString()));
    } finally {
      IOUtils.close(open);
    }
  }

  private static SearchSamples measure(
      SearchSpec spec, List<NamedTask> tasks, List<TimedLoop.Alone> members, String directory)
      throws IOException {
    SearchSamples samples;
    if (members.size() == 1) {
      samples = measure(new TimedLoop(tasks, members.get(0), spec.seed()), spec, directory);
    } else {
      try (ThreadTeam team = new ThreadTeam(members)) {
        samples = measure(new TimedLoop(tasks, team, spec.seed()), spec, directory);
      }
    }
    if (members.stream().mapToLong(TimedLoop.Alone::found).sum() == Long.MIN_VALUE) {
      throw new AssertionError("cannot be, but keeps the sum in use");
    }
    return samples;
  }

  private static SearchSamples measure(TimedLoop loop, SearchSpec spec, String directory)
      throws IOException {
    // What is searched beside takes half of the time.
    int share = spec.beside() == null ? 1 : 2;
    try (Watch watch = spec.watched() ? new Watch() : null) {
      loop.run(spec.warmupSeconds() * share);
      mark(watch);
      Map<String, List<Double>> rates = loop.run(spec.seconds() * share);
      mark(watch);
      return new SearchSamples(rates, directory, watch == null ? null : watch.finishParts());
    }
  }

  private static void mark(@Nullable Watch watch) {
    if (watch != null) {
      watch.mark();
    }
  }

  private IndexReader open(Directory directory) throws IOException {
    open.addFirst(directory);
    IndexReader reader = DirectoryReader.open(directory);
    open.addFirst(reader);
    return reader;
  }
}
