package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.console.Progress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The parent JVM of a run, as a workload sees it.
 *
 * @param out the folder of the results and of what is built
 * @param scratch for the files of one fork at a time, on the same disk; removed after each
 */
public record Host(
    Workspace workspace, RunOptions options, Path out, Path scratch, Progress progress) {

  /** Starts a fork that does {@link Workload#run}. */
  public <P extends Record, S extends Record> ChildJvm start(
      Workload<P, S> workload, Plan<P> plan, Column column, long seed) throws IOException {
    return start(workload, plan, plan.flags(), column, seed, List.of());
  }

  /**
   * As {@link #start(Workload, Plan, Column, long)}, with other flags or through another command.
   *
   * @param launcher a command that ends by becoming the one that its last arguments name
   */
  public <P extends Record, S extends Record> ChildJvm start(
      Workload<P, S> workload,
      Plan<P> plan,
      JvmFlags flags,
      Column column,
      long seed,
      List<String> launcher)
      throws IOException {
    Fork.Input input =
        new Fork.Input(Fork.MAPPER.valueToTree(plan.input()), column, seed, scratch.toString());
    ForkStart start = new ForkStart(column.label(), workload.name(), input, false);
    return ChildJvm.start(workspace, flags, start, launcher);
  }
}
