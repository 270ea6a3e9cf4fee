// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * One half of the queries run until the JVM is warm. Then, for each kind, the index is closed,
 * taken out of the page cache and opened again, and the other half runs once.
 */
final class ColdSearch implements SearchFork.Schedule {

  @Override
  public Map<String, KindSamples> run(SearchFork search, Defaults times) throws IOException {
    List<String> kinds = search.kinds();
    for (String kind : kinds) {
      search.run(everySecond(search.tasks(kind), 1), times.warmupSeconds() / kinds.size());
    }
    Map<String, KindSamples> samples = new LinkedHashMap<>();
    for (String kind : kinds) {
      search.reopenCold();
      List<Task> measured = everySecond(search.tasks(kind), 0);
      samples.put(kind, search.run(measured, n -> n >= measured.size()));
    }
    return samples;
  }

  /** Every second query from the first or the second on; the only one if there is one only. */
  private static List<Task> everySecond(List<Task> all, int first) {
    return all.size() == 1
        ? all
        : IntStream.range(0, all.size()).filter(i -> i % 2 == first).mapToObj(all::get).toList();
  }
}
