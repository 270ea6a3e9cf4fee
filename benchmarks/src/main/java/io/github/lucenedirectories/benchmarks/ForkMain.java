package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.advise.Inspection;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Harness;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import java.io.IOException;
import java.nio.file.Path;

/** What {@link ChildJvm} starts: the arguments are the name of a job and the file of its input. */
final class ForkMain {
  private ForkMain() {}

  /** Does the job and ends the JVM. What it prints of an error is for its parent. */
  @SuppressWarnings("CatchAndPrintStackTrace") // the parent reads it
  public static void main(String[] args) {
    int status = 0;
    try {
      run(args[0], Fork.open(Path.of(args[1])));
    } catch (UsageException e) {
      System.err.println(e.getMessage());
      status = UsageException.EXIT_STATUS;
    } catch (IOException | RuntimeException | Error e) {
      e.printStackTrace();
      status = RunFailedException.EXIT_STATUS;
    }
    System.exit(status);
  }

  private static void run(String job, Fork parent) throws IOException {
    switch (job) {
      case Preparation.Job.NAME -> new Preparation.Job().run(parent);
      case PreparedText.Job.NAME -> new PreparedText.Job().run(parent);
      case Inspection.Job.NAME -> new Inspection.Job().run(parent);
      default -> {
        Workload<?, ?> workload = Workloads.find(job).orElseThrow();
        Harness.serve(workload, parent);
      }
    }
  }
}
