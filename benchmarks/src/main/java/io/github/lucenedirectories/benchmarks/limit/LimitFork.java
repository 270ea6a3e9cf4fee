package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.compare.SameHits;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.groups.MemoryGroup;
import io.github.lucenedirectories.benchmarks.groups.MemoryGroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A fork that measures kind by kind, seen from the command. Under a limit it has a group of its
 * own, and begins with nothing of the index in the page cache. Its answers are compared when all is
 * measured, under the limit too.
 */
public final class LimitFork implements Rounds.Fork<Entry, LimitSamples> {
  private final Workspace workspace;
  private final @Nullable MemoryGroups groups;
  private final Memory memory;
  private final LimitPlan plan;
  private final Prepared prepared;
  private final Path tasks;
  private final IndexPages pages;
  private final SameHits hits = new SameHits();

  /**
   * @param groups that limit the memory; null to measure in all memory that there is, and to leave
   *     the page cache alone
   * @param tasks a file of lines that can all run on the index
   */
  public LimitFork(
      Workspace workspace,
      @Nullable MemoryGroups groups,
      Memory memory,
      LimitPlan plan,
      Prepared prepared,
      Path tasks) {
    this.workspace = workspace;
    this.groups = groups;
    this.memory = memory;
    this.plan = plan;
    this.prepared = prepared;
    this.tasks = tasks;
    this.pages = new IndexPages(Path.of(prepared.index()));
  }

  @Override
  public LimitSamples run(Entry column, long seed) throws IOException {
    if (groups == null) {
      return run(null, column, seed);
    }
    pages.drop();
    MemoryGroup group = groups.make(memory.limitBytes());
    try {
      workspace.alsoClose(group);
      return run(group, column, seed);
    } catch (RunFailedException e) {
      throw group.hasKilled() ? killed(column, e) : e;
    } finally {
      group.close();
      workspace.remove(group);
    }
  }

  private LimitSamples run(@Nullable MemoryGroup group, Entry column, long seed)
      throws IOException {
    Path answers = workspace.file("answers.json");
    LimitSpec spec =
        new LimitSpec(
            prepared.index(),
            column.directory().label(),
            tasks.toString(),
            plan.field(),
            answers.toString(),
            plan.merge() ? mergeFolder().toString() : null,
            plan.cold(),
            plan.warmupSeconds(),
            plan.seconds(),
            plan.threads(),
            seed);
    ForkStart start = new ForkStart(column.label(), LimitJob.NAME, spec, false);
    JvmFlags flags = JvmFlags.forSearching(memory.heapMegabytes());
    try (ChildJvm fork =
        ChildJvm.start(workspace, flags, start, group == null ? List.of() : group.launcher())) {
      if (plan.cold()) {
        for (int kind = 0; kind < prepared.kinds().size(); kind++) {
          fork.await(LimitJob.CLOSED, String.class);
          pages.drop();
          fork.send(LimitJob.GO);
        }
      }
      LimitSamples measured = fork.await(LimitJob.MEASURED, LimitSamples.class);
      OptionalLong peak = group == null ? OptionalLong.empty() : group.peakBytes();
      fork.send(LimitJob.GO);
      fork.await(LimitJob.ANSWERED, String.class);
      hits.check(column.label(), answers);
      fork.finish();
      return measured.withPeak(peak.isPresent() ? peak.getAsLong() : null);
    }
  }

  /** Beside the index, whose file system it must have. */
  private Path mergeFolder() throws IOException {
    Path index = Path.of(prepared.index()).toRealPath();
    // The name of the workspace's own folder is no other run's.
    Path folder = index.resolveSibling(workspace.name() + "-merge");
    workspace.alsoRemove(folder);
    return folder;
  }

  private RunFailedException killed(Entry column, RunFailedException e) {
    return new RunFailedException(
        "the system killed the fork of "
            + column.label()
            + ": "
            + Numbers.bytes(memory.limitBytes())
            + " are too little for it; give a larger --limit or a smaller --heap",
        e);
  }
}
