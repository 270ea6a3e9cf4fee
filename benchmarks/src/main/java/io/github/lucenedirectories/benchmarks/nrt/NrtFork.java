package io.github.lucenedirectories.benchmarks.nrt;

import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.directories.WritableSpec;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import java.io.IOException;
import java.nio.file.Path;

/** A near-real-time fork, seen from the command. */
final class NrtFork implements Rounds.Fork<WritableColumn, NrtSamples> {
  private final Workspace workspace;
  private final JvmFlags flags;
  private final NrtPlan plan;
  private final Input input;

  /**
   * What a fork reads and where it writes.
   *
   * @param text the path of a file of documents to update with
   * @param tasks a file of lines that can all run on the index
   * @param folder for the directories' files; removed after each fork
   */
  record Input(Prepared index, String text, Path tasks, Path folder) {}

  NrtFork(Workspace workspace, JvmFlags flags, NrtPlan plan, Input input) {
    this.workspace = workspace;
    this.flags = flags;
    this.plan = plan;
    this.input = input;
  }

  @Override
  public NrtSamples run(WritableColumn column, long seed) throws IOException {
    NrtSpec spec =
        new NrtSpec(
            new WritableSpec(
                column.directory().label(),
                column.metered(),
                plan.cache(),
                input.folder().toString()),
            input.index().index(),
            input.index().documents(),
            input.text(),
            plan.vectors(),
            input.tasks().toString(),
            plan.load(),
            seed);
    ForkStart start = new ForkStart(column.label(), NrtJob.NAME, spec, false);
    try {
      return ChildJvm.run(workspace, flags, start, NrtJob.MEASURED, NrtSamples.class);
    } finally {
      Workspace.deleteTree(input.folder());
    }
  }
}
