package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.search.SearchJob;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import io.github.lucenedirectories.benchmarks.search.SearchSpec;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A searching fork, seen from the command. Before a fork measures, its answers are compared with
 * those of the first fork, which is the baseline's.
 */
final class SearchFork implements Rounds.Fork<Entry, SearchSamples> {
  private final Workspace workspace;
  private final JvmFlags flags;
  private final ComparePlan plan;
  private final Path index;
  private final Path tasks;
  private final SameHits hits = new SameHits();

  /**
   * @param tasks a file of lines that can all run on the index
   */
  SearchFork(Workspace workspace, JvmFlags flags, ComparePlan plan, Path index, Path tasks) {
    this.workspace = workspace;
    this.flags = flags;
    this.plan = plan;
    this.index = index;
    this.tasks = tasks;
  }

  @Override
  public SearchSamples run(Entry column, long seed) throws IOException {
    Path answers = workspace.file("answers.json");
    SearchSpec spec =
        new SearchSpec(
            index.toString(),
            column.directory().label(),
            column.beside() == null ? null : column.beside().label(),
            tasks.toString(),
            plan.field(),
            answers.toString(),
            plan.warmupSeconds(),
            plan.seconds(),
            plan.threads(),
            plan.watched(),
            seed);
    try (ChildJvm fork =
        ChildJvm.start(
            workspace, flags, new ForkStart(column.label(), SearchJob.NAME, spec, false))) {
      fork.await(SearchJob.ANSWERED, String.class);
      hits.check(column.label(), answers);
      fork.send(SearchJob.GO);
      SearchSamples measured = fork.await(SearchJob.MEASURED, SearchSamples.class);
      fork.finish();
      return measured;
    }
  }
}
