package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.forks.ForkStart;
import io.github.lucenedirectories.benchmarks.forks.JvmFlags;
import io.github.lucenedirectories.benchmarks.forks.JvmFork;
import io.github.lucenedirectories.benchmarks.forks.Workspace;
import io.github.lucenedirectories.benchmarks.report.Progress;
import io.github.lucenedirectories.benchmarks.search.Answers;
import io.github.lucenedirectories.benchmarks.search.SearchJob;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import io.github.lucenedirectories.benchmarks.search.SearchSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Runs the forks of a comparison in rounds: each round has one fork of every column, one after
 * another, the first in the given order and the others in an order drawn anew, so that no column
 * has the same neighbour or the same place each time. Before a fork measures, its answers are
 * compared with those of the first fork, which is the baseline's.
 */
final class Rounds {
  private final Workspace workspace;
  private final JvmFlags flags;
  private final ComparePlan plan;
  private final Path index;
  private final Path tasks;
  private final Progress progress;
  private final Map<Entry, List<SearchSamples>> samples = new LinkedHashMap<>();
  private @Nullable HitsCheck check;

  /**
   * @param tasks a file of lines that can all run on the index
   */
  Rounds(
      Workspace workspace,
      JvmFlags flags,
      ComparePlan plan,
      Path index,
      Path tasks,
      Progress progress) {
    this.workspace = workspace;
    this.flags = flags;
    this.plan = plan;
    this.index = index;
    this.tasks = tasks;
    this.progress = progress;
  }

  /** Runs all forks; returns each column's samples in the order of the rounds. */
  Map<Entry, List<SearchSamples>> run() throws IOException {
    progress.start(plan.forks() * plan.columns().size());
    List<Entry> order = new ArrayList<>(plan.columns());
    Random random = new Random(plan.seed());
    for (int round = 1; round <= plan.forks(); round++) {
      for (Entry column : order) {
        progress.step(column.label());
        SearchSamples measured = fork(column, plan.seed() + round);
        samples.computeIfAbsent(column, c -> new ArrayList<>()).add(measured);
        progress.stepDone();
      }
      Collections.shuffle(order, random);
    }
    return samples;
  }

  private SearchSamples fork(Entry column, long seed) throws IOException {
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
            seed);
    try (JvmFork fork =
        JvmFork.start(
            workspace, flags, new ForkStart(column.label(), SearchJob.NAME, spec, false))) {
      fork.await(SearchJob.ANSWERED, String.class);
      Answers found = Answers.read(answers);
      if (check == null) {
        check = new HitsCheck(column.label(), found);
      }
      check.check(column.label(), found);
      Files.delete(answers);
      fork.send(SearchJob.GO);
      SearchSamples measured = fork.await(SearchJob.MEASURED, SearchSamples.class);
      fork.finish();
      return measured;
    }
  }
}
