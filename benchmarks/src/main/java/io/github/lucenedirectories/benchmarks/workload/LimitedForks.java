package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Harness;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.workload.LimitedSearch.Input;
import io.github.lucenedirectories.benchmarks.workload.LimitedSearch.Samples;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The parent's part of the forks of {@link LimitedSearch}. Under a limit each fork has a group of
 * its own, and begins with nothing of the index in the page cache. Its answers are compared when
 * all is measured, under the limit too.
 */
public final class LimitedForks {
  private final @Nullable Cgroups groups;
  private final Memory memory;
  private final IndexPages pages;
  private final HitsCheck hits = new HitsCheck();

  /**
   * @param groups that limit the memory; null to measure in all memory that there is, and to leave
   *     the page cache alone
   */
  public LimitedForks(@Nullable Cgroups groups, Memory memory, Path index) {
    this.groups = groups;
    this.memory = memory;
    this.pages = new IndexPages(index);
  }

  /** Runs one fork. */
  public Samples measure(
      Workload<Input, Samples> workload, Host host, Plan<Input> plan, Column column, long seed)
      throws IOException {
    if (groups == null) {
      return measure(host.start(workload, plan, column, seed), plan.input(), column, null);
    }
    pages.drop();
    Cgroups.Group group = groups.make(memory.limitBytes());
    try {
      host.workspace().alsoClose(group);
      List<String> launcher = group.launcher();
      return measure(
          host.start(workload, plan, plan.flags(), column, seed, launcher),
          plan.input(),
          column,
          group);
    } catch (RunFailedException e) {
      throw group.hasKilled() ? killed(column, e) : e;
    } finally {
      group.close();
      host.workspace().remove(group);
    }
  }

  private Samples measure(ChildJvm child, Input input, Column column, Cgroups.@Nullable Group group)
      throws IOException {
    try (child) {
      for (int kind = 0; input.cold() && kind < input.kinds().size(); kind++) {
        child.await(LimitedSearch.CLOSED, String.class);
        pages.drop();
        child.send(LimitedSearch.GO);
      }
      child.await(LimitedSearch.DONE, String.class);
      OptionalLong peak = group == null ? OptionalLong.empty() : group.peakBytes();
      child.send(LimitedSearch.GO);
      hits.check(column.label(), child.await(Answers.ANSWERED, Answers.class));
      Samples measured = child.await(Harness.MEASURED, Samples.class);
      child.finish();
      return measured.withPeak(peak.isPresent() ? peak.getAsLong() : null);
    }
  }

  private RunFailedException killed(Column column, RunFailedException e) {
    return new RunFailedException(
        "the system killed the fork of "
            + column.label()
            + ": "
            + Numbers.bytes(memory.limitBytes())
            + " are too little for it; give a larger --limit or a smaller --heap",
        e);
  }
}
