// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All kinds run mixed: for half of the warm-up, during a first merge of half of the index, and for
 * the other half. After that they run for the measured time, and again until the same half is
 * merged once more, in the same JVM and through the same directory class.
 *
 * <p>Without the first merge the measured one would share the processors with the compiler, which
 * is busy with the code of merges for as long as a merge of this size takes.
 *
 * @param folder is made for each merge, on the file system of the index
 */
record MergeSearch(Path folder) implements SearchFork.Schedule {
  /** The queries of all kinds together, before the merge. */
  static final String QUIET = "Quiet";

  /** The same during the merge. */
  static final String MERGING = "Merging";

  /** A figure of the latter: how long the merge took, in seconds. */
  static final String MERGE_SECONDS = "merge seconds";

  @Override
  public Map<String, KindSamples> run(SearchFork search, Defaults times) throws IOException {
    List<Task> all = search.allTasks();
    double half = times.warmupSeconds() / 2;
    search.run(all, half);
    try (ForcedMerge first = search.merge(folder)) {
      search.run(all, n -> n > 0 && first.isDone());
    }
    search.run(all, half);
    KindSamples quiet = search.run(all, times.seconds());
    try (ForcedMerge merge = search.merge(folder)) {
      KindSamples merging = search.run(all, n -> n > 0 && merge.isDone());
      Map<String, Double> figures = new HashMap<>(merging.figures());
      figures.put(MERGE_SECONDS, merge.seconds());
      return Map.of(QUIET, quiet, MERGING, merging.with(figures));
    }
  }
}
