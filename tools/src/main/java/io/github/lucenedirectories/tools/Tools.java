// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import io.github.lucenedirectories.tools.console.CommandLines;
import io.github.lucenedirectories.tools.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line of the tools alone; that of the benchmarks has them too. */
@Command(
    name = "tools",
    subcommands = {
      ResidencyCommand.class,
      WarmCommand.class,
      CheckCommand.class,
      CopyCommand.class,
      PmemCommand.class
    })
public final class Tools implements Callable<Integer> {
  @Mixin private CommandLines.Common common = new CommandLines.Common();

  @Spec private CommandSpec spec = CommandSpec.create();

  private Tools() {}

  public static void main(String[] args) {
    CommandLines.runAndExit(commands(), args);
  }

  public static CommandLine commands() {
    Tools tools = new Tools();
    return CommandLines.of(tools, tools.common);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return UsageException.EXIT_STATUS;
  }
}
