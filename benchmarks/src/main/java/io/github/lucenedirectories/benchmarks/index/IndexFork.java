package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.directories.WritableSpec;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/** An indexing fork, seen from the command. */
final class IndexFork implements Rounds.Fork<WritableColumn, IndexSamples> {
  private final Workspace workspace;
  private final JvmFlags flags;
  private final IndexPlan plan;
  private final String text;
  private final Path folder;

  /**
   * @param text the path of a file of documents
   * @param folder for the directories' files; removed after each fork
   */
  IndexFork(Workspace workspace, JvmFlags flags, IndexPlan plan, String text, Path folder) {
    this.workspace = workspace;
    this.flags = flags;
    this.plan = plan;
    this.text = text;
    this.folder = folder;
  }

  @Override
  public IndexSamples run(WritableColumn column, long seed) throws IOException {
    IndexSpec spec =
        new IndexSpec(
            new WritableSpec(
                column.directory().label(), column.metered(), plan.cache(), folder.toString()),
            text,
            plan.documents(),
            plan.vectors(),
            plan.threads(),
            plan.bufferMegabytes(),
            plan.warmupSeconds(),
            plan.seconds());
    ForkStart start = new ForkStart(column.label(), IndexJob.NAME, spec, false);
    try {
      return ChildJvm.run(workspace, flags, start, IndexJob.MEASURED, IndexSamples.class);
    } finally {
      Workspace.deleteTree(folder);
    }
  }
}
