package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.report.Environment;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command that shows what closing a reader costs the thread that does it. */
@Command(
    name = CloseReaderJob.NAME,
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Closes readers of an index of "
          + CloseReaderCommand.SEGMENTS
          + " segments while other threads read, and shows how long a close takes and how much of"
          + " that the closing thread computes.",
      "Beside it, under the same load: how long a parked thread takes to run after its unparking."
    })
public final class CloseReaderCommand implements Callable<Integer> {
  static final int SEGMENTS = 20;

  private static final String DIRECTORIES = "MMapDirectory,MappedDirectory,RamDirectory";

  @Mixin private ForkOptions run = new ForkOptions();

  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "NAME",
      defaultValue = DIRECTORIES,
      description =
          "the directories; MMapDirectory is always among them (default: " + DIRECTORIES + ")")
  private List<String> directories = List.of();

  @Option(
      names = "--closes",
      paramLabel = "N",
      description = "in each JVM (default: 200; with --quick: 20)")
  private @Nullable Integer closes;

  @Option(
      names = "--warmup",
      paramLabel = "N",
      description = "closes before them that are not counted (default: 50; with --quick: 5)")
  private @Nullable Integer warmups;

  @Option(
      names = "--readers",
      paramLabel = "N",
      description = "threads that read another file without a pause (default: 4)")
  private @Nullable Integer readers;

  @Option(
      names = "--pause",
      paramLabel = "MILLIS",
      description = "between two closes, for what a directory put off (default: 100)")
  private @Nullable Integer pauseMillis;

  @Option(
      names = "--separate-files",
      description = "segments as after a large merge: about ten files each instead of one")
  private boolean separateFiles;

  @Spec private CommandSpec spec;

  /**
   * Runs the command.
   *
   * @return the exit status 0
   * @throws UsageException if an option has a value that it cannot have
   * @throws IOException if there is no room for temporary files or for the results
   */
  @Override
  public Integer call() throws IOException {
    int forks = run.forks();
    CloseReaderSpec plan = plan();
    Set<DirectoryKind> columns = columns();
    Path out = run.out(CloseReaderJob.NAME);
    JvmFlags flags = JvmFlags.forIndex(0);
    Map<DirectoryKind, List<CloseTimes>> times;
    try (Workspace workspace = Workspace.create();
        Progress progress = Progress.create()) {
      times = rounds(workspace, flags, columns, plan, forks, progress);
    }
    CloseReport report = new CloseReport(times, forks, run.seed());
    Map<String, Object> environment =
        Environment.describe(Path.of(System.getProperty("java.io.tmpdir")), flags.flags());
    environment.put("command", Main.commandLine());
    environment.put("seed", run.seed());
    environment.put("plan", plan);
    Path json = out.resolve("results.json");
    report.results(environment).write(json);

    PrintWriter writer = spec.commandLine().getOut();
    writer.println(headline(plan, forks));
    writer.println();
    report.lines().forEach(writer::println);
    writer.println();
    writer.println("Written: " + json);
    writer.flush();
    return 0;
  }

  private Set<DirectoryKind> columns() {
    Set<DirectoryKind> kinds = new LinkedHashSet<>(List.of(DirectoryKind.BASELINE));
    directories.forEach(name -> kinds.add(DirectoryKind.named(name.strip())));
    return kinds;
  }

  private CloseReaderSpec plan() {
    int busy = run.atLeast(0, "--readers", readers, 4, 4);
    if (busy > OpenFiles.MAX_READERS) {
      throw new UsageException("--readers must be at most " + OpenFiles.MAX_READERS + ": " + busy);
    }
    return new CloseReaderSpec(
        DirectoryKind.BASELINE.className(),
        SEGMENTS,
        !separateFiles,
        busy,
        run.atLeast(0, "--warmup", warmups, 50, 5),
        run.atLeast(1, "--closes", closes, 200, 20),
        run.atLeast(0, "--pause", pauseMillis, 100, 100),
        run.seed());
  }

  /** In each round one fork of every directory, in an order drawn anew. */
  private static Map<DirectoryKind, List<CloseTimes>> rounds(
      Workspace workspace,
      JvmFlags flags,
      Set<DirectoryKind> columns,
      CloseReaderSpec plan,
      int forks,
      Progress progress)
      throws IOException {
    Map<DirectoryKind, List<CloseTimes>> times = new LinkedHashMap<>();
    columns.forEach(kind -> times.put(kind, new ArrayList<>()));
    List<DirectoryKind> order = new ArrayList<>(columns);
    Random random = new Random(plan.seed());
    progress.start(forks * columns.size());
    for (int round = 0; round < forks; round++) {
      for (DirectoryKind kind : order) {
        String name = kind.className();
        progress.step(name);
        ForkStart start = new ForkStart(name, CloseReaderJob.NAME, plan.on(name), false);
        try (ChildJvm fork = ChildJvm.start(workspace, flags, start)) {
          CloseTimes measured = fork.await(CloseReaderJob.MEASURED, CloseTimes.class);
          fork.finish();
          times
              .computeIfAbsent(DirectoryKind.named(measured.directory()), _ -> new ArrayList<>())
              .add(measured);
        }
        progress.stepDone();
      }
      Collections.shuffle(order, random);
    }
    return times;
  }

  private static String headline(CloseReaderSpec plan, int forks) {
    return "Closes of a reader of "
        + plan.segments()
        + " segments ("
        + (plan.compound() ? "compound" : "separate files")
        + ") with "
        + plan.readers()
        + " busy readers on "
        + Runtime.getRuntime().availableProcessors()
        + " cores; "
        + forks
        + " JVMs of each directory, interleaved; in each "
        + plan.closes()
        + " closes after "
        + plan.warmups()
        + ", "
        + plan.pauseMillis()
        + " ms apart.";
  }
}
