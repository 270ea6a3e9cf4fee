package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.live.Crew;
import io.github.lucenedirectories.benchmarks.live.LiveSearch;
import io.github.lucenedirectories.benchmarks.live.Searchers;
import io.github.lucenedirectories.benchmarks.live.Window;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.HdrHistogram.Histogram;

/**
 * Searches without a pause, one query after another in random order (a closed loop). A query's
 * latency includes taking the current searcher and giving it back, so also the close of its reader
 * where that falls to it. In a closed loop a stall delays few queries: those that would have come
 * meanwhile are not counted as late.
 */
final class SearchLoop implements Crew.Work {
  private final LiveSearch search;
  private final Window window;
  private final List<NamedTask> tasks;
  private final AtomicIntegerArray perSecond;
  private final SplittableRandom random;
  private final Histogram latency = new Histogram(EncodedHistogram.DIGITS);
  private long found;

  /**
   * @param perSecond counts the queries of all threads by the second in which they end
   */
  SearchLoop(
      Searchers searchers,
      Window window,
      List<NamedTask> tasks,
      AtomicIntegerArray perSecond,
      long seed) {
    this.search = new LiveSearch(searchers);
    this.window = window;
    this.tasks = List.copyOf(tasks);
    this.perSecond = perSecond;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void run() throws IOException {
    while (!window.isOver()) {
      NamedTask task = tasks.get(random.nextInt(tasks.size()));
      long start = window.now();
      found += search.run(task.task());
      long end = window.now();
      if (window.holds(start)) {
        latency.recordValue(end - start);
      }
      if (window.holds(end)) {
        count(end);
      }
    }
  }

  private void count(long end) {
    int second = (int) TimeUnit.NANOSECONDS.toSeconds(window.sinceOpen(end));
    if (second < perSecond.length()) {
      perSecond.incrementAndGet(second);
    }
  }

  /** Nanoseconds of each query. */
  Histogram latency() {
    return latency;
  }

  /** Depends on all that was found, so that none of the work can be left out. */
  long found() {
    return found;
  }
}
