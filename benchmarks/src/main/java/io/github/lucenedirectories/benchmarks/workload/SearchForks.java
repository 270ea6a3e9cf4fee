// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.console.RunFailedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Starts the forks of a workload that searches, each with so much memory. Under a limit a fork has
 * a control group of its own, and begins with nothing of the index in the page cache. Answers are
 * compared when all is measured, under the limit too. For one thread.
 */
public final class SearchForks {
  private final Path index;
  private final @Nullable Cgroups groups;
  private final HitsCheck hits = new HitsCheck();

  /** For forks that search one index; without groups no memory can be limited. */
  public SearchForks(Path index, @Nullable Cgroups groups) {
    this.index = index;
    this.groups = groups;
  }

  /** Refuses a limit that cannot be kept. */
  void check(Memory memory) throws IOException {
    memory.check(groups == null ? Long.MAX_VALUE : groups.leastLimitAbove());
  }

  /** A control group with the limit; null for none. The caller closes it. */
  private Cgroups.@Nullable Group group(Host host, Memory memory) throws IOException {
    if (groups == null || !memory.isLimited()) {
      return null;
    }
    Cgroups.Group group = groups.make(memory.limitBytes());
    host.workspace().alsoClose(group);
    return group;
  }

  /**
   * Runs one fork.
   *
   * @param reopenings how often the fork closes the index, to open it with an empty page cache
   */
  public SearchSamples measure(
      Workload<SearchSamples> workload,
      Host host,
      Plan plan,
      Column column,
      long seed,
      Memory memory,
      int reopenings)
      throws IOException {
    IndexPages pages = new IndexPages(index);
    try (Cgroups.Group group = group(host, memory)) {
      if (group != null || reopenings > 0) {
        pages.drop();
      }
      List<String> launcher = group == null ? List.of() : group.launcher();
      try (ChildJvm child = host.start(workload, plan.flags(), column, seed, launcher)) {
        for (int i = 0; i < reopenings; i++) {
          child.await(SearchFork.CLOSED, String.class);
          pages.drop();
          child.resume();
        }
        child.await(SearchFork.DONE, String.class);
        Long peak = group == null ? null : group.peakBytes();
        Long cache = group == null ? null : group.cacheBytes();
        child.resume();
        hits.check(column.label(), child);
        return child.result(SearchSamples.class).withMemory(peak, cache);
      } catch (RunFailedException e) {
        if (group == null || !group.hasKilled()) {
          throw e;
        }
        throw new RunFailedException(
            Numbers.text(
                "the system killed the fork of %s: %s are too little for it; give a larger --limit"
                    + " or a smaller --heap",
                column.label(), Numbers.bytes(memory.limitBytes())),
            e);
      }
    }
  }
}
