package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.advise.Inspection;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.harness.Harness;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code fork JOB SPEC}: what a workload starts in a JVM of its own; not for people. */
@Command(name = ForkCommand.NAME)
final class ForkCommand implements Callable<Integer> {
  static final String NAME = "fork";

  @Parameters(index = "0")
  private String job = "";

  @Parameters(index = "1")
  private Path spec = Path.of("");

  @Override
  public Integer call() throws IOException {
    Optional<? extends Workload<?, ?>> workload =
        job.startsWith(Harness.JOB)
            ? Workloads.find(job.substring(Harness.JOB.length()))
            : Optional.empty();
    if (workload.isPresent()) {
      Harness.serve(workload.get(), Fork.open(spec));
      return 0;
    }
    job().run(Fork.open(spec));
    return 0;
  }

  private ForkJob job() {
    return switch (job) {
      case Preparation.Job.NAME -> new Preparation.Job();
      case PreparedText.Job.NAME -> new PreparedText.Job();
      case Inspection.Job.NAME -> new Inspection.Job();
      default -> throw new UsageException("no such job: " + job);
    };
  }
}
