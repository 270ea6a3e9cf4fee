// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All kinds run for half of the warm-up; then each kind for its share of the other half and, right
 * after that, measured.
 */
public final class WarmSearch implements SearchFork.Schedule {
  @Override
  public Map<String, KindSamples> run(SearchFork search, Defaults times) throws IOException {
    List<String> kinds = search.kinds();
    double warmUpSeconds = times.warmupSeconds() / 2 / kinds.size();
    for (String kind : kinds) {
      search.run(search.tasks(kind), warmUpSeconds);
    }
    Map<String, KindSamples> samples = new LinkedHashMap<>();
    for (String kind : kinds) {
      search.run(search.tasks(kind), warmUpSeconds);
      samples.put(kind, search.run(search.tasks(kind), times.seconds() / kinds.size()));
    }
    return samples;
  }
}
