package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.nio.file.Path;

/** A committing fork, seen from the command. */
final class CommitFork implements Rounds.Fork<CommitColumn, CommitSamples> {
  private final Workspace workspace;
  private final JvmFlags flags;
  private final CommitPlan plan;
  private final String text;

  /**
   * @param text the path of a file of documents
   */
  CommitFork(Workspace workspace, JvmFlags flags, CommitPlan plan, String text) {
    this.workspace = workspace;
    this.flags = flags;
    this.plan = plan;
    this.text = text;
  }

  @Override
  public CommitSamples run(CommitColumn column, long seed) throws IOException {
    CommitSpec spec =
        new CommitSpec(
            column.directory(),
            column.folder(),
            text,
            plan.documentsPerCommit(),
            plan.warmupSeconds(),
            plan.seconds());
    ForkStart start = new ForkStart(column.label(), CommitJob.NAME, spec, false);
    try {
      return ChildJvm.run(workspace, flags, start, CommitJob.MEASURED, CommitSamples.class);
    } finally {
      Workspace.deleteTree(Path.of(column.folder()));
    }
  }
}
