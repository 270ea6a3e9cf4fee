// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All kinds run for half of the warm-up; then each kind for its share of the other half, or until
 * its reads are steady, and, right after that, measured.
 */
public final class WarmSearch implements SearchFork.Schedule {
  /** The name of a figure: the seconds before a kind was measured. */
  static final String UNTIL_STEADY = "until steady";

  /* What changes more slowly than the longest time allows to see is taken for steady. */
  private static final double WINDOWS = 20;
  private static final int LEAST_WINDOWS = 6;
  private static final double PAGE_BYTES = 4096;

  /* Means of pages a query are equal if they differ by less than this share, or so many pages. */
  private static final double EQUAL_SHARE = 0.05;
  private static final double EQUAL_PAGES = 0.01;

  private final double mostSeconds;

  /** With shares of the warm-up. */
  public WarmSearch() {
    this(0);
  }

  /** Until reads are steady, for so many seconds at most in each kind; with shares if that is 0. */
  WarmSearch(double mostSeconds) {
    this.mostSeconds = mostSeconds;
  }

  @Override
  public Map<String, KindSamples> run(SearchFork search, Defaults times) throws IOException {
    List<String> kinds = search.kinds();
    double warmUpSeconds = times.warmupSeconds() / 2 / kinds.size();
    for (String kind : kinds) {
      search.run(search.tasks(kind), warmUpSeconds);
    }
    Map<String, KindSamples> samples = new LinkedHashMap<>();
    for (String kind : kinds) {
      List<Task> tasks = search.tasks(kind);
      Map<String, Double> figures = new HashMap<>();
      if (mostSeconds > 0) {
        figures.put(UNTIL_STEADY, settle(search, tasks));
      } else {
        search.run(tasks, warmUpSeconds);
      }
      KindSamples measured = search.run(tasks, times.seconds() / kinds.size());
      figures.putAll(measured.figures());
      samples.put(kind, measured.with(figures));
    }
    return samples;
  }

  /** Runs queries until their reads are steady or the time is over; returns the seconds it took. */
  private double settle(SearchFork search, List<Task> tasks) throws IOException {
    double seconds = 0;
    List<Double> pages = new ArrayList<>();
    while (seconds < mostSeconds && !isSteady(pages)) {
      KindSamples window = search.run(tasks, mostSeconds / WINDOWS);
      Long bytes = window.reads().get(Value.READ_BYTES);
      pages.add(bytes == null ? Double.NaN : bytes / PAGE_BYTES / window.queries());
      seconds += window.seconds();
    }
    return seconds;
  }

  /**
   * Whether the pages a query of the last third of all windows are those of the third before: what
   * changes slowly has to be watched for longer. Never where they are unknown.
   */
  static boolean isSteady(List<Double> pages) {
    int end = pages.size();
    if (end < LEAST_WINDOWS) {
      return false;
    }
    double before = mean(pages.subList(end - end / 3 * 2, end - end / 3));
    double last = mean(pages.subList(end - end / 3, end));
    return Math.abs(last - before) <= Math.max(EQUAL_SHARE * before, EQUAL_PAGES);
  }

  private static double mean(List<Double> pages) {
    return pages.stream().mapToDouble(p -> p).average().orElseThrow();
  }
}
