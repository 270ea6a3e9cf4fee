package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that shows how fast an index in the page cache is loaded into memory. */
@Command(
    name = LoadRamJob.NAME,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Loads an index whose files are in the page cache into a RamDirectory, checksums verified, in"
          + " turns with a bare parallel read of the same files into equally fresh memory.",
      "Fails if the live objects on the Java heap grow by 1 MB or more with a loaded directory."
    })
public final class LoadRamCommand implements Callable<Integer> {
  /** What the live heap may grow by. */
  static final long HEAP_LIMIT_BYTES = 1_000_000;

  /** What else a fork needs beside the page cache and the loaded copy. */
  private static final long MARGIN_BYTES = 1L << 30;

  @Mixin private ForkOptions run = new ForkOptions();

  @Mixin private IndexOptions index = new IndexOptions();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "that load, and that read (default: one for each core)")
  private @Nullable Integer threads;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      description = "in each JVM, one load and one read each (default: 8; with --quick: 3)")
  private @Nullable Integer rounds;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description = "rounds before them that are not counted (default: 2; with --quick: 1)")
  private @Nullable Integer warmups;

  @Spec private CommandSpec spec;

  /**
   * Runs the command.
   *
   * @return the exit status 0
   * @throws UsageException if an option has a value that it cannot have, or the index cannot be
   *     used
   * @throws RunFailedException if the heap has grown too much, or a fork failed
   * @throws IOException if there is no room for temporary files or for the results
   */
  @Override
  public Integer call() throws IOException {
    int forks = run.forks();
    int cores = Runtime.getRuntime().availableProcessors();
    int each = run.atLeast(1, "--threads", threads, cores, cores);
    int counted = run.atLeast(1, "--rounds", rounds, 8, 3);
    int dropped = run.atLeast(0, "--warmup", warmups, 2, 1);
    index.check();
    Path out = run.out(LoadRamJob.NAME);
    JvmFlags flags = JvmFlags.forIndex(0);
    Prepared prepared;
    List<LoadTimes> times = new ArrayList<>();
    LoadRamSpec plan;
    try (Workspace workspace = Workspace.create();
        Progress progress = Progress.create()) {
      progress.note("Preparing");
      prepared =
          new Preparation(index.source(), new TaskOptions(), List.of(), out)
              .run(workspace, 0, run.seed(), workspace.file("queries.tasks"));
      Room.checkMemory(prepared.bytes() + MARGIN_BYTES, "a smaller index");
      plan = new LoadRamSpec(prepared.index(), each, dropped, counted);
      progress.start(forks);
      for (int i = 0; i < forks; i++) {
        progress.step(LoadRamJob.NAME);
        ForkStart start = new ForkStart("load", LoadRamJob.NAME, plan, false);
        try (ChildJvm fork = ChildJvm.start(workspace, flags, start)) {
          times.add(fork.await(LoadRamJob.MEASURED, LoadTimes.class));
          fork.finish();
        }
        progress.stepDone();
      }
    }
    LoadReport report = new LoadReport(times, run.seed());
    Map<String, Object> environment =
        Environment.describe(Path.of(prepared.index()), flags.flags());
    environment.put("command", Main.commandLine());
    environment.put("seed", run.seed());
    environment.put("index", prepared);
    environment.put("plan", plan);
    environment.putAll(report.facts());
    Path json = out.resolve("results.json");
    report.results(environment).write(json);
    print(prepared, plan, report, json);
    long grown = report.heapGrowthBytes();
    if (grown >= HEAP_LIMIT_BYTES) {
      throw new RunFailedException(
          "a loaded directory added " + grown + " bytes to the heap, limit=" + HEAP_LIMIT_BYTES);
    }
    return 0;
  }

  private void print(Prepared prepared, LoadRamSpec plan, LoadReport report, Path json) {
    PrintWriter writer = spec.commandLine().getOut();
    writer.println(
        String.format(
            Locale.ROOT,
            "%s: %s, %d segments; %d threads.",
            prepared.source(),
            Numbers.bytes(prepared.bytes()),
            prepared.segments(),
            plan.threads()));
    writer.println(
        "In each JVM "
            + plan.rounds()
            + " rounds after "
            + plan.warmups()
            + ", loads and reads in turns.");
    writer.println();
    report.lines().forEach(writer::println);
    writer.println();
    writer.println("Written: " + json);
    writer.flush();
  }
}
