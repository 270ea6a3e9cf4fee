// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexReader;

/**
 * Runs every kind's queries over and over and times them. For use by one thread.
 *
 * <p>Kinds take turns: a repetition gives each kind one short slice of time, in a new order, in
 * which its list of queries is run from beginning to end at least once and always whole. So a
 * disturbance of a second touches one repetition of every kind, not one kind, and compiled code is
 * shaped by all kinds together, as in an application. A slice gives one sample, in queries per
 * second of all threads together.
 */
final class SearchLoop implements AutoCloseable {
  /* Enough for a median that a collection or another process's burst does not move. */
  private static final int REPETITIONS = 12;
  private static final int MIN_REPETITIONS = 3;
  private static final double NANOS = 1e9;

  private final Map<String, List<Task>> kinds;
  private final List<SearchContext> searchers;
  private final ExecutorService threads;
  private final Random random;

  SearchLoop(List<Task> tasks, IndexReader reader, int count, long seed) {
    kinds =
        tasks.stream()
            .collect(
                Collectors.groupingBy(
                    t -> t.line().kind(), LinkedHashMap::new, Collectors.toList()));
    searchers = Stream.generate(() -> new SearchContext(reader)).limit(count).toList();
    threads = Executors.newFixedThreadPool(count);
    random = new Random(seed);
  }

  Map<String, List<Double>> run(double seconds) throws IOException {
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    kinds.keySet().forEach(kind -> samples.put(kind, new ArrayList<>()));
    List<String> order = new ArrayList<>(samples.keySet());
    long sliceNanos = (long) (seconds * NANOS / (REPETITIONS * kinds.size()));
    long start = System.nanoTime();
    for (int repetition = 0;
        repetition < MIN_REPETITIONS || System.nanoTime() - start < seconds * NANOS;
        repetition++) {
      Collections.shuffle(order, random);
      for (String kind : order) {
        double rate = slice(kinds.getOrDefault(kind, List.of()), sliceNanos);
        samples.getOrDefault(kind, List.of()).add(rate);
      }
    }
    return samples;
  }

  private double slice(List<Task> tasks, long nanos) throws IOException {
    CyclicBarrier start = new CyclicBarrier(searchers.size());
    List<Callable<Double>> slices = new ArrayList<>();
    for (SearchContext searcher : searchers) {
      slices.add(
          () -> {
            start.await();
            return rate(searcher, tasks, nanos);
          });
    }
    return Workers.invokeAll(threads, slices).stream().mapToDouble(rate -> rate).sum();
  }

  private static double rate(SearchContext searcher, List<Task> tasks, long nanos)
      throws IOException {
    long passes = 0;
    long start = System.nanoTime();
    long elapsed;
    do {
      for (Task task : tasks) {
        searcher.run(task);
      }
      passes++;
      elapsed = System.nanoTime() - start;
    } while (elapsed < nanos);
    return passes * tasks.size() * NANOS / elapsed;
  }

  @Override
  public void close() {
    threads.shutdown();
  }
}
