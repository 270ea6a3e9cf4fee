// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.TaskParser;
import io.github.lucenedirectories.benchmarks.workload.HitsCheck;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** Searches an index through one directory. A {@link ContenderLoader} makes it. */
public final class SearchContender implements Contender {
  private static final double NANOS = 1e9;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final List<Task> tasks;
  private final Map<String, List<Task>> kinds;
  private final double slowdown;
  private final Directory directory;
  private final IndexReader reader;
  private final List<SearchContext> searchers;
  private final LongAdder allocated = new LongAdder();
  private final LongAdder queries = new LongAdder();

  /**
   * Opens an index.
   *
   * @param slowdown by what share of its time each query is made longer
   */
  public SearchContender(
      String variant,
      Path index,
      Path scratch,
      Path taskFile,
      String field,
      Integer threads,
      Double slowdown)
      throws IOException {
    this.slowdown = slowdown;
    tasks = TaskParser.read(taskFile, field);
    kinds = tasks.stream().collect(Collectors.groupingBy(task -> task.line().kind()));
    directory = Variants.named(variant, Use.SEARCH).read(index, scratch);
    try {
      reader = DirectoryReader.open(directory);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(directory);
      throw e;
    }
    searchers = Stream.generate(() -> new SearchContext(reader)).limit(threads).toList();
  }

  @Override
  public String answers() throws IOException {
    return new ObjectMapper().writeValueAsString(HitsCheck.ask(tasks, searchers.getFirst()));
  }

  @Override
  public double turn(int searcher, String kind, long nanos) throws IOException {
    SearchContext context = searchers.get(searcher);
    List<Task> all = Objects.requireNonNull(kinds.get(kind), kind);
    long before = THREADS.getCurrentThreadAllocatedBytes();
    long count = 0;
    long start = System.nanoTime();
    long elapsed;
    do {
      for (Task task : all) {
        run(context, task);
      }
      count += all.size();
      elapsed = System.nanoTime() - start;
    } while (elapsed < nanos);
    queries.add(count);
    allocated.add(THREADS.getCurrentThreadAllocatedBytes() - before);
    return count * NANOS / elapsed;
  }

  private void run(SearchContext searcher, Task task) throws IOException {
    if (slowdown == 0) {
      searcher.run(task);
      return;
    }
    long start = System.nanoTime();
    searcher.run(task);
    double longer = (System.nanoTime() - start) * (1 + slowdown);
    while (System.nanoTime() - start < longer) {
      Thread.onSpinWait();
    }
  }

  @Override
  public double allocatedBytes() {
    return (double) allocated.sum() / Math.max(1, queries.sum());
  }

  @Override
  public String directory() {
    return directory.toString();
  }

  @Override
  public void close() throws IOException {
    IOUtils.close(reader, directory);
  }
}
