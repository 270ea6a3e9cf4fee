// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.Opening;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All kinds run mixed for the warm-up and for the measured time. Then the index is closed and taken
 * out of the page cache, and for the measured time, which begins before the directory is opened,
 * they run once more.
 */
final class RestartSearch implements SearchFork.Schedule {
  /** All kinds together before the restart. */
  static final String WARM = "warm";

  /** All kinds together after the restart, the time of opening included. */
  static final String RESTART = "Restart";

  /* Figures of the restart; the first two in seconds, absent where that was not reached. */
  static final String UNTIL_P99 = "until p99";
  static final String UNTIL_RATE = "until rate";
  static final String LOADED = "loaded";

  private static final double NANOS = 1e9;

  @Override
  public Map<String, KindSamples> run(SearchFork search, Defaults times) throws IOException {
    List<Task> all = search.allTasks();
    search.run(all, times.warmupSeconds());
    KindSamples warm = search.run(all, times.seconds());
    search.reopenCold();
    Opening opening = search.index().opening();
    long opened = System.nanoTime();
    Recovery recovery = new Recovery(opened);
    KindSamples cold =
        search.run(all, Math.max(0, times.seconds() - opening.seconds()), recovery::add);
    double seconds = (System.nanoTime() - opened) / NANOS;
    Map<String, Double> figures = new HashMap<>(cold.figures());
    figures.put(LOADED, (double) search.index().loadedBytes());
    recovery
        .untilHigh(warm.latencies().millis("p99"), seconds)
        .ifPresent(after -> figures.put(UNTIL_P99, opening.seconds() + after));
    recovery
        .untilRate(warm.rate(), seconds)
        .ifPresent(after -> figures.put(UNTIL_RATE, opening.seconds() + after));
    KindSamples restart =
        new KindSamples(
            cold.latencies(),
            opening.seconds() + seconds,
            cold.reads().plus(opening.reads()),
            figures);
    return Map.of(WARM, warm, RESTART, restart);
  }
}
