package io.github.lucenedirectories.benchmarks.search;

import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Runs every kind's queries over and over and times them. For one thread.
 *
 * <p>Kinds take turns: a repetition gives each kind one short slice of time, in a new order, in
 * which its list of queries is run from beginning to end at least once and always whole. So a
 * disturbance of a second touches one repetition of every kind, not one kind, and compiled code is
 * shaped by all kinds together, as in an application. A slice gives one sample, in queries per
 * second.
 */
final class TimedLoop {
  /* Enough for a median that a collection or another process's burst does not move. */
  private static final int REPETITIONS = 12;
  private static final int MIN_REPETITIONS = 3;
  private static final double NANOS = 1e9;

  private final Map<String, List<Task>> kinds = new LinkedHashMap<>();
  private final List<Map.Entry<String, List<Task>>> order;
  private final Searchers searchers;
  private final Random random;

  TimedLoop(List<NamedTask> tasks, Searchers searchers, long seed) {
    for (NamedTask task : tasks) {
      kinds.computeIfAbsent(task.line().kind(), k -> new ArrayList<>()).add(task.task());
    }
    this.order = new ArrayList<>(kinds.entrySet());
    this.searchers = searchers;
    this.random = new Random(seed);
  }

  /** Searches for a time; returns each kind's samples. */
  Map<String, List<Double>> run(double seconds) throws IOException {
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    kinds.keySet().forEach(kind -> samples.put(kind, new ArrayList<>()));
    long sliceNanos = (long) (seconds * NANOS / (REPETITIONS * Math.max(1, kinds.size())));
    long start = System.nanoTime();
    int repetitions = 0;
    while (repetitions < MIN_REPETITIONS || System.nanoTime() - start < seconds * NANOS) {
      Collections.shuffle(order, random);
      for (Map.Entry<String, List<Task>> kind : order) {
        double rate = searchers.rate(kind.getValue(), sliceNanos);
        samples.computeIfAbsent(kind.getKey(), k -> new ArrayList<>()).add(rate);
      }
      repetitions++;
    }
    return samples;
  }

  /** How the slices are run: by this thread or by several. */
  interface Searchers {
    /** Queries per second over one slice. */
    double rate(List<Task> tasks, long sliceNanos) throws IOException;
  }

  /** This thread alone, and perhaps a second reader whose searches are not timed. */
  static final class Alone implements Searchers {
    private final SearchContext timed;
    private final List<SearchContext> beside;
    private long found;

    /**
     * @param beside searched as often as {@code timed} after each slice; may be empty
     */
    Alone(SearchContext timed, List<SearchContext> beside) {
      this.timed = timed;
      this.beside = List.copyOf(beside);
    }

    @Override
    public double rate(List<Task> tasks, long sliceNanos) throws IOException {
      long passes = 0;
      long start = System.nanoTime();
      long elapsed;
      do {
        pass(tasks, timed);
        passes++;
        elapsed = System.nanoTime() - start;
      } while (elapsed < sliceNanos);
      for (SearchContext other : beside) {
        for (long pass = 0; pass < passes; pass++) {
          pass(tasks, other);
        }
      }
      return passes * tasks.size() * NANOS / elapsed;
    }

    private void pass(List<Task> tasks, SearchContext context) throws IOException {
      for (Task task : tasks) {
        found += task.run(context);
      }
    }

    /** Depends on all that was found, so that none of the work can be left out. */
    long found() {
      return found;
    }
  }
}
