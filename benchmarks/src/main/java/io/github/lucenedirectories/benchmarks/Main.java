// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.advise.AdviseWorkload;
import io.github.lucenedirectories.benchmarks.report.ReportCommand;
import io.github.lucenedirectories.benchmarks.workload.CommitWorkload;
import io.github.lucenedirectories.benchmarks.workload.CompareWorkload;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload;
import io.github.lucenedirectories.benchmarks.workload.MemoryLimitWorkload;
import io.github.lucenedirectories.benchmarks.workload.NrtWorkload;
import io.github.lucenedirectories.benchmarks.workload.VectorsWorkload;
import io.github.lucenedirectories.benchmarks.workload.WarmStartWorkload;
import io.github.lucenedirectories.tools.CheckCommand;
import io.github.lucenedirectories.tools.CopyCommand;
import io.github.lucenedirectories.tools.JournalCommand;
import io.github.lucenedirectories.tools.PmemCommand;
import io.github.lucenedirectories.tools.ResidencyCommand;
import io.github.lucenedirectories.tools.WarmCommand;
import io.github.lucenedirectories.tools.console.CommandLines;
import io.github.lucenedirectories.tools.console.UsageException;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command line. Its help says what the exit codes mean. A new workload is one line here. */
@Command(
    name = "./run",
    customSynopsis = {
      "./run COMMAND [OPTIONS]    ./run COMMAND --help lists a command's options.",
      "@FILE in place of options reads them from a file. --debug prints stack traces."
    },
    synopsisHeading = "",
    optionListHeading = "",
    footer = "Exit codes: 0 success, 1 the run failed, 2 change the input, 130 interrupted.",
    subcommands = {
      CompareWorkload.class,
      MemoryLimitWorkload.class,
      VectorsWorkload.class,
      WarmStartWorkload.class,
      AdviseWorkload.class,
      NrtWorkload.class,
      LoadWorkload.class,
      CommitWorkload.class,
      ReportCommand.class,
      ResidencyCommand.class,
      WarmCommand.class,
      CheckCommand.class,
      CopyCommand.class,
      PmemCommand.class,
      JournalCommand.class
    })
public final class Main implements Callable<Integer> {
  @Mixin private CommandLines.Common common = new CommandLines.Common();

  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  public static void main(String[] args) {
    CommandLines.runAndExit(commands(), args);
  }

  public static CommandLine commands() {
    Main main = new Main();
    CommandLine commands = CommandLines.of(main, main.common);
    Help.install(commands);
    return commands;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return UsageException.EXIT_STATUS;
  }
}
