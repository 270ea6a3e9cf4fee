// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.ReadAhead;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.benchmarks.workload.LimitedWorkload.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.LimitedWorkload.Opening;
import io.github.lucenedirectories.benchmarks.workload.LimitedWorkload.Samples;
import io.github.lucenedirectories.variants.CachedDirectory;
import io.github.lucenedirectories.variants.ReadOnlyDirectory;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.vectors.PrefetchingDirectoryReader;
import io.github.lucenedirectories.vectors.PrefetchingSearcherFactory;
import io.github.lucenedirectories.warm.WarmStart;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A fork that searches with little memory: one kind after the other, in a closed loop, and in the
 * end some queries once more, whose answers the parent compares.
 *
 * <p>Warm: all kinds run for half of the warm-up, then each kind for its share of the other half
 * and, right after that, measured. Cold: the kinds run with queries that are not measured until the
 * JVM is warm; then, for each kind, everything is closed, the parent takes the index out of the
 * page cache, everything is opened again, and each query that is measured runs once.
 *
 * <p>With a merge: all kinds run for half of the warm-up, then mixed during a first merge of half
 * of the index, then for the other half. After that they run mixed for the measured time, and again
 * until the same half is merged once more, in the same JVM and through the same directory class.
 * Without the first merge the measured one would share the processors with the compiler, which is
 * busy with the code of merges for as long as a merge of this size takes.
 *
 * <p>With a restart: all kinds run mixed for the warm-up and for the measured time. Then everything
 * is closed, the parent takes the index out of the page cache, and for the measured time, which
 * begins before the directory is opened, they run once more.
 */
final class LimitedSearch implements Closeable {
  /** The queries of all kinds together, before the merge. */
  static final String QUIET = "Quiet";

  /** The same during the merge. */
  static final String MERGING = "Merging";

  /** The queries of all kinds together after a restart, the time of opening included. */
  static final String RESTART = "Restart";

  /** What a fork says when all is closed: the parent may empty the page cache. */
  static final String CLOSED = "closed";

  /** What a fork says when all is measured: the parent may look at the memory that it took. */
  static final String DONE = "done";

  /** The setting of a column whose reader prefetches. */
  static final String PREFETCH = "prefetch";

  /** The setting of a column with a warm start: which image it finds. */
  static final String IMAGE = "image";

  private static final double NANOS = 1e9;
  private static final double MILLIS_A_SECOND = 1e3;

  private final LimitedWorkload plan;
  private final Path path;
  private final Variant variant;
  private final Fork fork;
  private final boolean prefetches;
  private final @Nullable WarmImages images;
  private final AtomicLong loadedBytes = new AtomicLong();
  private final Map<String, List<Task>> kinds;
  private final ExecutorService threads;
  private final Map<String, KindSamples> samples = new LinkedHashMap<>();
  private final List<Opening> openings = new ArrayList<>();
  private final ReadAhead device = new ReadAhead();
  private OpenIndex index;
  private Recovery recovery = new Recovery(System.nanoTime());
  private int parts;

  LimitedSearch(LimitedWorkload plan, Column column, Fork fork) throws IOException {
    this.plan = plan;
    this.path = Path.of(plan.prepared.index());
    this.variant = column.named(Use.SEARCH);
    this.fork = fork;
    this.kinds =
        plan.tasks().stream()
            .collect(
                Collectors.groupingBy(
                    task -> task.line().kind(), LinkedHashMap::new, Collectors.toList()));
    this.prefetches = column.settings().containsKey(PREFETCH);
    String found = column.settings().get(IMAGE);
    this.images =
        found == null
            ? null
            : new WarmImages(
                fork.folder(variant).resolve("warm-start"), WarmImages.Kind.valueOf(found));
    this.threads = Executors.newFixedThreadPool(plan.threads);
    this.index = open();
  }

  Samples run() throws IOException {
    List<String> order = new ArrayList<>(kinds.keySet());
    Collections.shuffle(order, new Random(fork.seed()));
    Double mergeSeconds = null;
    if (plan.mergeFolder != null) {
      mergeSeconds = runMerging(Path.of(plan.mergeFolder), order);
    } else if (plan.restarts) {
      runRestart(all(order));
    } else if (plan.isCold) {
      runCold(order);
    } else {
      runWarm(order);
    }
    ProcessReading footprint = ProcessReading.now();
    fork.send(DONE, "");
    fork.await();
    List<Task> some =
        kinds.values().stream().flatMap(tasks -> tasks.stream().limit(plan.answers)).toList();
    List<Answer> answers = HitsCheck.send(fork, some, index.contexts().get(0));
    return new Samples(samples, openings, mergeSeconds, footprint, null, plan.recall(answers));
  }

  private void runWarm(List<String> order) throws IOException {
    openings.add(index.opening());
    double half = plan.values().warmupSeconds() / 2;
    warmUp(order, half);
    for (String kind : order) {
      run(tasks(kind, 0), half / order.size());
      samples.put(kind, run(tasks(kind, 0), plan.values().seconds() / order.size()));
    }
  }

  private void runCold(List<String> order) throws IOException {
    warmUp(order, plan.values().warmupSeconds());
    for (String kind : order) {
      index.close();
      restart();
      List<Task> tasks = tasks(kind, 0);
      samples.put(kind, run(tasks, n -> n >= tasks.size()));
    }
  }

  /** Opens a closed index once the parent has taken it out of the page cache. */
  private void restart() throws IOException {
    fork.send(CLOSED, "");
    fork.await();
    index = open();
    openings.add(index.opening());
  }

  private void runRestart(List<Task> all) throws IOException {
    run(all, plan.values().warmupSeconds());
    KindSamples warm = run(all, plan.values().seconds());
    samples.put(WarmStartWorkload.WARM, warm);
    index.close();
    if (images != null) {
      images.spoil();
    }
    restart();
    Opening opening = index.opening();
    long opened = System.nanoTime();
    recovery = new Recovery(opened);
    KindSamples cold = run(all, Math.max(0, plan.values().seconds() - opening.seconds()));
    double seconds = (System.nanoTime() - opened) / NANOS;
    Map<String, Double> figures = new HashMap<>(cold.figures());
    figures.put(WarmStartWorkload.LOADED, (double) loadedBytes.get());
    recovery
        .untilHigh(warm.latencies().millis("p99"), seconds)
        .ifPresent(after -> figures.put(WarmStartWorkload.HIGH, opening.seconds() + after));
    recovery
        .untilRate(warm.rate(), seconds)
        .ifPresent(after -> figures.put(WarmStartWorkload.RATE, opening.seconds() + after));
    samples.put(
        RESTART,
        new KindSamples(
            cold.latencies(),
            opening.seconds() + seconds,
            cold.reads().plus(opening.reads()),
            cold.collectionSeconds(),
            figures));
  }

  private List<Task> all(List<String> order) {
    return order.stream().flatMap(kind -> tasks(kind, 0).stream()).toList();
  }

  /** Returns how long the measured merge took. */
  private double runMerging(Path folder, List<String> order) throws IOException {
    openings.add(index.opening());
    List<Task> all = all(order);
    double half = plan.values().warmupSeconds() / 2;
    run(all, half);
    try (ForcedMerge first = merge(folder)) {
      run(all, n -> n > 0 && first.isDone());
    }
    run(all, half);
    samples.put(QUIET, run(all, plan.values().seconds()));
    try (ForcedMerge merge = merge(folder)) {
      samples.put(MERGING, run(all, n -> n > 0 && merge.isDone()));
      return merge.seconds();
    }
  }

  private ForcedMerge merge(Path folder) throws IOException {
    return ForcedMerge.begin(variant, path, folder, fork.folder(variant));
  }

  private void warmUp(List<String> order, double seconds) throws IOException {
    for (String kind : order) {
      run(tasks(kind, 1), seconds / order.size());
    }
  }

  /**
   * The queries of a kind. What is measured cold (0) must not have run before: then the warm-up (1)
   * has every second query, unless there is one only.
   */
  private List<Task> tasks(String kind, int first) {
    List<Task> all = kinds.getOrDefault(kind, List.of());
    int step = plan.isCold && all.size() > 1 ? 2 : 1;
    return IntStream.range(0, all.size())
        .filter(i -> step == 1 || i % step == first)
        .mapToObj(i -> all.get(i))
        .toList();
  }

  /** Runs for a time, and at least one query. */
  private KindSamples run(List<Task> tasks, double seconds) throws IOException {
    long start = System.nanoTime();
    long length = (long) (seconds * NANOS);
    return run(tasks, n -> n > 0 && System.nanoTime() - start >= length);
  }

  /** Runs until an end is reached, given the number of queries that have begun. */
  private KindSamples run(List<Task> tasks, IntPredicate end) throws IOException {
    Draw<Task> order = new Draw<>(plan.draw, tasks, fork.seed(), parts++);
    index.takeFigures();
    Long requests = device.number(path, "stat");
    ProcessReading before = ProcessReading.now();
    long collected = ProcessMetrics.collectionMillis();
    long start = System.nanoTime();
    List<Callable<Histogram>> loops = new ArrayList<>();
    index.contexts().forEach(context -> loops.add(() -> loop(context, order, end)));
    Histogram all = new Histogram(Recorded.DIGITS);
    Workers.invokeAll(threads, loops).forEach(all::add);
    double seconds = (System.nanoTime() - start) / NANOS;
    Map<String, Double> figures = new HashMap<>(index.takeFigures());
    Long later = device.number(path, "stat");
    if (requests != null && later != null) {
      figures.put(LimitedWorkload.REQUESTS, (double) (later - requests) / all.getTotalCount());
    }
    return new KindSamples(
        Recorded.of(all),
        seconds,
        ProcessReading.now().since(before),
        (ProcessMetrics.collectionMillis() - collected) / MILLIS_A_SECOND,
        figures);
  }

  private Histogram loop(SearchContext context, Draw<Task> order, IntPredicate end)
      throws IOException {
    Histogram latencies = new Histogram(Recorded.DIGITS);
    for (Task task = order.next(end); task != null; task = order.next(end)) {
      long start = System.nanoTime();
      context.run(task);
      long ended = System.nanoTime();
      latencies.recordValue(ended - start);
      if (plan.restarts) {
        recovery.add(ended, ended - start);
      }
    }
    return latencies;
  }

  private OpenIndex open() throws IOException {
    ProcessReading before = ProcessReading.now();
    long start = System.nanoTime();
    Directory directory = variant.read(path, fork.folder(variant));
    WarmStart warm = null;
    try {
      if (images != null) {
        warm =
            WarmStart.builder(directory)
                .image(images.file())
                .progress((_, bytes, _) -> loadedBytes.set(bytes))
                .start();
      }
      DirectoryReader plain = DirectoryReader.open(new ReadOnlyDirectory(directory));
      IndexReader reader = prefetches ? PrefetchingDirectoryReader.wrap(plain) : plain;
      double seconds = (System.nanoTime() - start) / NANOS;
      SearcherFactory searchers =
          prefetches ? new PrefetchingSearcherFactory() : new SearcherFactory();
      List<SearchContext> contexts = new ArrayList<>();
      while (contexts.size() < plan.threads) {
        contexts.add(new SearchContext(searchers.newSearcher(reader, null)));
      }
      Opening opening = new Opening(seconds, ProcessReading.now().since(before));
      return new OpenIndex(directory, warm, reader, contexts, opening);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeWhileHandlingException(warm, directory);
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdown();
    index.close();
  }

  /** A directory with a reader, and a context for each thread. */
  private record OpenIndex(
      Directory directory,
      @Nullable WarmStart warm,
      IndexReader reader,
      List<SearchContext> contexts,
      Opening opening)
      implements Closeable {

    Map<String, Double> takeFigures() {
      return directory instanceof CachedDirectory cached ? cached.takeFigures() : Map.of();
    }

    @Override
    public void close() throws IOException {
      IOUtils.close(reader, warm, directory);
    }
  }
}
