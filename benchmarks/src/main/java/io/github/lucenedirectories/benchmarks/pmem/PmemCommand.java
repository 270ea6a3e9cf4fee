package io.github.lucenedirectories.benchmarks.pmem;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The tools for folders of pool files. */
@Command(
    name = "pmem",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Tools for the folder of a PmemDirectory, which no other process may have open.",
      "Exit status: 0 if all is well, 1 if something is damaged or failed, 2 if the input was"
          + " refused."
    },
    subcommands = {
      InfoCommand.class,
      OpenCommand.class,
      CheckCommand.class,
      ListCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      CompactCommand.class
    })
public final class PmemCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** Shows how to use it: a tool is missing. */
  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return UsageException.EXIT_STATUS;
  }
}
