package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.directories.NamedFigures;
import io.github.lucenedirectories.benchmarks.directories.ReadOnlyDirectory;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.search.Answers;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.watch.ProcessCounters;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** A directory with a reader and what threads search it with. Owns both. */
final class OpenIndex implements Closeable {
  private static final double NANOS = 1e9;

  private final Directory directory;
  private final IndexReader reader;
  private final List<SearchContext> contexts;
  private final Opening opening;

  private OpenIndex(Directory directory, IndexReader reader, int threads, Opening opening) {
    this.directory = directory;
    this.reader = reader;
    this.contexts =
        IntStream.range(0, threads).mapToObj(thread -> new SearchContext(reader)).toList();
    this.opening = opening;
  }

  /**
   * Opens an index.
   *
   * @param threads that will search at the same time
   */
  static OpenIndex open(ReadableDirectory column, Path index, int threads) throws IOException {
    ProcessCounters before = ProcessCounters.now();
    long start = System.nanoTime();
    Directory directory = column.open(index);
    try {
      IndexReader reader = DirectoryReader.open(new ReadOnlyDirectory(directory));
      double seconds = (System.nanoTime() - start) / NANOS;
      Opening opening = new Opening(seconds, ProcessCounters.now().since(before));
      return new OpenIndex(directory, reader, threads, opening);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(directory);
      throw e;
    }
  }

  /** How it was opened. */
  Opening opening() {
    return opening;
  }

  /** One for each thread. */
  List<SearchContext> contexts() {
    return contexts;
  }

  /** What the directory tells of itself since the last call. */
  Map<String, Double> takeFigures() {
    return directory instanceof NamedFigures named ? named.takeFigures() : Map.of();
  }

  /** All that it answers. */
  Answers ask(List<NamedTask> tasks) throws IOException {
    return Answers.ask(tasks, contexts.get(0));
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(reader, directory);
  }
}
