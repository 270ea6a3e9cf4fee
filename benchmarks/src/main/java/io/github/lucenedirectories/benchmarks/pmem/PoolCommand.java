package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.pmem.PmemDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A tool that opens the pools of one folder. */
abstract class PoolCommand implements Callable<Integer> {
  @Mixin private PoolOptions options = new PoolOptions();

  @Parameters(index = "0", paramLabel = "POOLDIR", description = "the folder of the pool files")
  private Path folder;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    options.onPools(folder, directory -> run(directory, out));
    out.flush();
    return 0;
  }

  /** Works on the pools. */
  abstract void run(PmemDirectory directory, PrintWriter out) throws IOException;
}
