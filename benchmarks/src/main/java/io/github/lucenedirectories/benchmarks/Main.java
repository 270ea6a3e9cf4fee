// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.advise.AdviseWorkload;
import io.github.lucenedirectories.benchmarks.cli.Help;
import io.github.lucenedirectories.benchmarks.cluster.ClusterWorkload;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.jmh.MicroCommand;
import io.github.lucenedirectories.benchmarks.pmem.PmemCommand;
import io.github.lucenedirectories.benchmarks.report.ReportCommand;
import io.github.lucenedirectories.benchmarks.tools.CheckCommand;
import io.github.lucenedirectories.benchmarks.tools.CopyCommand;
import io.github.lucenedirectories.benchmarks.tools.InfoCommand;
import io.github.lucenedirectories.benchmarks.tools.ResidencyCommand;
import io.github.lucenedirectories.benchmarks.tools.WarmCommand;
import io.github.lucenedirectories.benchmarks.workload.CommitWorkload;
import io.github.lucenedirectories.benchmarks.workload.CompareWorkload;
import io.github.lucenedirectories.benchmarks.workload.IndexWorkload;
import io.github.lucenedirectories.benchmarks.workload.LoadWorkload;
import io.github.lucenedirectories.benchmarks.workload.MemoryLimitWorkload;
import io.github.lucenedirectories.benchmarks.workload.NrtWorkload;
import io.github.lucenedirectories.benchmarks.workload.VectorsWorkload;
import io.github.lucenedirectories.benchmarks.workload.WarmStartWorkload;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

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
      IndexWorkload.class,
      NrtWorkload.class,
      LoadWorkload.class,
      ClusterWorkload.class,
      CommitWorkload.class,
      MicroCommand.class,
      ReportCommand.class,
      InfoCommand.class,
      ResidencyCommand.class,
      WarmCommand.class,
      CheckCommand.class,
      CopyCommand.class,
      PmemCommand.class
    })
public final class Main implements Callable<Integer> {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "show this help")
  @SuppressWarnings("unused") // picocli asks its annotation, not its value
  private boolean help;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      hidden = true,
      description = "print the stack trace of an error")
  private boolean debug;

  @Spec private CommandSpec spec = CommandSpec.create();

  /** All commands in one jar. */
  private static final String TOOLS = "lucene-directories-tools.jar";

  private Main() {}

  /** Runs a command and ends the JVM with its status. */
  public static void main(String[] args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(run(out, err, args));
  }

  /** Runs a command without ending the JVM. Returns its exit code. */
  public static int run(PrintWriter out, PrintWriter err, String... args) {
    return commands().setOut(out).setErr(err).execute(args);
  }

  public static CommandLine commands() {
    Main main = new Main();
    CommandLine commands = new CommandLine(main);
    Help.install(commands);
    if (System.getProperty("java.class.path").endsWith(TOOLS)) {
      commands.setCommandName("java -jar " + TOOLS);
    }
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setParameterExceptionHandler(main::refuse)
        .setExecutionExceptionHandler(main::fail);
  }

  private int refuse(ParameterException e, String[] args) {
    String message = String.valueOf(e.getMessage()).replace("\n", " ");
    String hint = "; see " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help";
    if (e instanceof UnmatchedArgumentException unmatched) {
      String what = unmatched.getUnmatched().getFirst();
      boolean isCommand = e.getCommandLine().getParent() == null && !what.startsWith("-");
      message = "unknown " + (isCommand ? "command" : "option") + " '" + what + "'";
      hint =
          unmatched.getSuggestions().stream()
              .findFirst()
              .map(meant -> "; did you mean " + meant + "?")
              .orElse(hint);
    }
    message += hint;
    return print(message, e, e.getCommandLine().getErr(), UsageException.EXIT_STATUS);
  }

  private int fail(Exception e, CommandLine command, CommandLine.ParseResult result) {
    PrintWriter err = command.getErr();
    if (e instanceof UsageException) {
      return print(String.valueOf(e.getMessage()), e, err, UsageException.EXIT_STATUS);
    }
    String message =
        e instanceof RunFailedException
            ? String.valueOf(e.getMessage())
            : command.getCommandSpec().qualifiedName()
                + " failed: "
                + String.valueOf(e).lines().findFirst().orElse("")
                + "; --debug prints the stack trace";
    return print(message, e, err, RunFailedException.EXIT_STATUS);
  }

  private int print(String message, Exception e, PrintWriter err, int status) {
    err.println(message);
    if (debug) {
      e.printStackTrace(err);
    }
    return status;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return UsageException.EXIT_STATUS;
  }
}
