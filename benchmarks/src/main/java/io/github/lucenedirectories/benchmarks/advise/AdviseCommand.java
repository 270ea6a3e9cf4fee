package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code advise}: which directory a user's own index should be opened with, on this machine. */
@Command(
    name = AdviseCommand.NAME,
    description =
        "Look at an index and this machine, measure for a few minutes, and recommend a directory."
            + " Nothing is ever written to the index.",
    footer = {
      "",
      "Measured are MMapDirectory, the same again (the noise), HybridDirectory, MappedDirectory and"
          + " NioDirectory; RamDirectory where the index fits in memory; MMapDirectory with read"
          + " advice by context and BlockCacheDirectory where it does not. The last of these are left"
          + " out where --time is too short. A directory is called faster only where its 95 %%"
          + " interval lies above 1 and above that of the noise. p99 counts for the kinds of which"
          + " each JVM ran 100 queries or more.",
      "",
      "With --limit each JVM has a control group of that memory, and the index is taken out of the"
          + " page cache before each: not for the machine that serves it at the moment. Without it"
          + " the page cache is left as it is, but that an index which fits is read once."
    },
    sortOptions = false)
public final class AdviseCommand implements Callable<Integer> {
  static final String NAME = "advise";

  private static final double NANOS = 1e9;

  @Mixin private AdviseOptions options = new AdviseOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    long start = System.nanoTime();
    options.check();
    try (Workspace workspace = Workspace.create()) {
      AdviseRun run = new AdviseRun(workspace, options);
      AdviseRun.Outcome outcome;
      try (Progress progress = Progress.create()) {
        outcome = run.run(start + (long) (options.seconds() * NANOS), progress);
      }
      run.keepQueries(options.out());
      new AdviseReport(outcome)
          .write(
              options.out(),
              Main.commandLine(),
              Objects.requireNonNull(spec).commandLine().getOut());
    }
    return 0;
  }
}
