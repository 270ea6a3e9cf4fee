// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DeviceReadAhead;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.Opening;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * A fork that searches one index in a closed loop. A {@link Schedule} says what is run when; {@link
 * SearchForks} is the part of the parent. For one thread.
 */
final class SearchFork implements Closeable {
  /** What a fork says when all is closed: the parent may empty the page cache. */
  static final String CLOSED = "closed";

  /** What a fork says when all is measured: the parent may look at the memory that it took. */
  static final String DONE = "done";

  /** The setting of a column whose reader prefetches. */
  static final String PREFETCH = "prefetch";

  /** The setting of a column whose application announces the documents of a page to Lucene. */
  static final String ANNOUNCES = "announces";

  /** The setting of a column with a warm start. */
  static final String WARM_START = "warm start";

  /** The name of a figure: what the device of the index counts, a query's share. */
  static final String REQUESTS = "requests";

  private static final double NANOS = 1e9;

  private final Path path;
  private final Variant variant;
  private final Fork fork;
  private final int threads;
  private final Draw.Way draw;
  private final Column column;
  private final @Nullable Path image;
  private final Map<String, List<Task>> tasks;
  private final ExecutorService pool;
  private final List<Opening> openings = new ArrayList<>();
  private final DeviceReadAhead device = new DeviceReadAhead();
  private OpenIndex index;
  private int runs;

  /** What is run and measured: returns the samples of each kind. */
  interface Schedule {
    Map<String, KindSamples> run(SearchFork search, Defaults times) throws IOException;
  }

  /** The share of the best hits among those found; null where that is unknown. */
  interface Recall {
    @Nullable Double of(List<Answer> answers) throws IOException;
  }

  /** Called after each query, from any thread. */
  interface Listener {
    void ended(long endNanos, long latencyNanos);
  }

  SearchFork(Fork fork, Column column, Path path, List<Task> tasks, int threads, Draw.Way draw)
      throws IOException {
    this.path = path;
    this.variant = column.named(Use.SEARCH);
    this.fork = fork;
    this.threads = threads;
    this.draw = draw;
    this.tasks =
        tasks.stream()
            .collect(
                Collectors.groupingBy(
                    task -> task.line().kind(), LinkedHashMap::new, Collectors.toList()));
    this.column = column;
    this.image =
        column.settings().containsKey(WARM_START)
            ? fork.folder(variant).resolve("warm-start")
            : null;
    this.pool = Executors.newFixedThreadPool(threads);
    this.index = open();
  }

  /**
   * Does a job, waits until the parent has looked at the memory, and runs the first queries of each
   * kind once more, whose answers the parent compares.
   */
  SearchSamples run(Schedule schedule, Defaults times, int answers, Recall recall)
      throws IOException {
    Map<String, KindSamples> samples = schedule.run(this, times);
    ProcessReading footprint = ProcessReading.now();
    fork.send(DONE, "");
    fork.await();
    List<Task> some =
        tasks.values().stream().flatMap(kind -> kind.stream().limit(answers)).toList();
    List<Answer> found = HitsCheck.send(fork, some, index.contexts().get(0));
    List<Opening> counted = openings.size() == 1 ? openings : openings.subList(1, openings.size());
    return new SearchSamples(samples, counted, footprint, null, null, recall.of(found));
  }

  /** The kinds in an order that is random, and the same for all forks of a round. */
  List<String> kinds() {
    List<String> order = new ArrayList<>(tasks.keySet());
    Collections.shuffle(order, new Random(fork.seed()));
    return order;
  }

  List<Task> tasks(String kind) {
    return tasks.getOrDefault(kind, List.of());
  }

  /** The queries of all kinds. */
  List<Task> allTasks() {
    return kinds().stream().flatMap(kind -> tasks(kind).stream()).toList();
  }

  OpenIndex index() {
    return index;
  }

  /** Closes the index, and opens it once the parent has taken it out of the page cache. */
  void reopenCold() throws IOException {
    index.close();
    fork.send(CLOSED, "");
    fork.await();
    index = open();
  }

  private OpenIndex open() throws IOException {
    OpenIndex opened =
        OpenIndex.open(() -> variant.read(path, fork.folder(variant)), threads, column, image);
    openings.add(opened.opening());
    return opened;
  }

  /** Begins to merge half of the index, in a folder that is made for it. */
  ForcedMerge merge(Path folder) throws IOException {
    return ForcedMerge.begin(variant, path, folder, fork.folder(variant));
  }

  /** Runs queries for a time, and at least one. */
  KindSamples run(List<Task> some, double seconds) throws IOException {
    return run(some, seconds, (_, _) -> {});
  }

  KindSamples run(List<Task> some, double seconds, Listener listener) throws IOException {
    long start = System.nanoTime();
    long length = (long) (seconds * NANOS);
    return run(some, n -> n > 0 && System.nanoTime() - start >= length, listener);
  }

  /** Runs queries until an end is reached, given the number of those that have begun. */
  KindSamples run(List<Task> some, IntPredicate end) throws IOException {
    return run(some, end, (_, _) -> {});
  }

  private KindSamples run(List<Task> some, IntPredicate end, Listener listener) throws IOException {
    for (int i = 0; i < threads; i++) {
      index.contexts().get(i).seed((fork.seed() * 31 + runs) * threads + i);
    }
    Draw<Task> order = new Draw<>(draw, some, fork.seed(), runs++);
    index.takeFigures();
    Long requests = device.number(path, "stat");
    ProcessReading before = ProcessReading.now();
    long start = System.nanoTime();
    List<Callable<Histogram>> loops = new ArrayList<>();
    index.contexts().forEach(context -> loops.add(() -> loop(context, order, end, listener)));
    Histogram all = new Histogram(Recorded.DIGITS);
    Workers.invokeAll(pool, loops).forEach(all::add);
    double seconds = (System.nanoTime() - start) / NANOS;
    Map<String, Double> figures = new HashMap<>(index.takeFigures());
    Long later = device.number(path, "stat");
    if (requests != null && later != null) {
      figures.put(REQUESTS, (double) (later - requests) / all.getTotalCount());
    }
    return new KindSamples(Recorded.of(all), seconds, ProcessReading.now().since(before), figures);
  }

  private static Histogram loop(
      SearchContext context, Draw<Task> order, IntPredicate end, Listener listener)
      throws IOException {
    Histogram latencies = new Histogram(Recorded.DIGITS);
    for (Task task = order.next(end); task != null; task = order.next(end)) {
      long start = System.nanoTime();
      context.run(task);
      long ended = System.nanoTime();
      latencies.recordValue(ended - start);
      listener.ended(ended, ended - start);
    }
    return latencies;
  }

  @Override
  public void close() throws IOException {
    pool.shutdown();
    index.close();
  }
}
