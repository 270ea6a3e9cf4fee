package io.github.lucenedirectories.benchmarks;

import io.github.lucenedirectories.benchmarks.cache.CacheTraceCommand;
import io.github.lucenedirectories.benchmarks.commit.CommitCommand;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.index.IndexCommand;
import io.github.lucenedirectories.benchmarks.load.LoadCommand;
import io.github.lucenedirectories.benchmarks.micro.CloseReaderCommand;
import io.github.lucenedirectories.benchmarks.micro.HeapGrowthCommand;
import io.github.lucenedirectories.benchmarks.micro.LoadRamCommand;
import io.github.lucenedirectories.benchmarks.micro.MicroCommand;
import io.github.lucenedirectories.benchmarks.nrt.NrtCommand;
import io.github.lucenedirectories.benchmarks.report.ReportCommand;
import io.github.lucenedirectories.benchmarks.pmem.PmemCommand;
import io.github.lucenedirectories.benchmarks.workload.Workloads;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line of the benchmarks. Input that has to be changed ends in one line on the error
 * output and the status {@value UsageException#EXIT_STATUS}, a run without result in the status
 * {@value RunFailedException#EXIT_STATUS}.
 */
@Command(
    name = "./run",
    description = "Benchmarks and tests of Lucene directories.",
    footer = {
      "  test          Run all checks and tests of the build; further arguments are",
      "                Maven's.",
      "  pmem-test     Run tests on an emulated machine with persistent memory."
    },
    subcommands = {
      IndexCommand.class,
      NrtCommand.class,
      LoadCommand.class,
      CommitCommand.class,
      MicroCommand.class,
      HeapGrowthCommand.class,
      CloseReaderCommand.class,
      LoadRamCommand.class,
      CacheTraceCommand.class,
      ReportCommand.class,
      PmemCommand.class
    })
public final class Main implements Callable<Integer> {
  private static volatile List<String> arguments = List.of();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "show this help")
  @SuppressWarnings("unused") // picocli asks its annotation, not its value
  private boolean help;

  @Spec private CommandSpec spec = CommandSpec.create();

  private Main() {}

  /** Runs a command and ends the JVM with its status. */
  public static void main(String[] args) {
    arguments = List.of(args);
    System.exit(commands(args).execute(args));
  }

  /** Those that may be meant: a fork is ready sooner without all the others. */
  private static CommandLine commands(String[] args) {
    return args.length > 0 && args[0].equals(ForkCommand.NAME)
        ? handled(new CommandLine(CommandSpec.create()).addSubcommand(new ForkCommand()))
        : commands();
  }

  /** The command that this JVM was started with, as it is typed. */
  public static String commandLine() {
    return "./run " + String.join(" ", arguments);
  }

  /** The whole command line, for running a command without ending the JVM. */
  public static CommandLine commands() {
    CommandLine main = new CommandLine(new Main());
    // Under another name until the command of the same name is gone.
    Workloads.all()
        .forEach(
            workload -> {
              boolean taken = main.getSubcommands().containsKey(workload.name());
              main.addSubcommand((taken ? "new-" : "") + workload.name(), workload);
            });
    return handled(main);
  }

  private static CommandLine handled(CommandLine commands) {
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(Main::refuse)
        .setExecutionExceptionHandler(Main::fail);
  }

  private static int refuse(ParameterException e, String[] args) {
    String message = String.valueOf(e.getMessage()).replace("\n", " ");
    if (e instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      message += "; did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
    }
    e.getCommandLine().getErr().println(message);
    return UsageException.EXIT_STATUS;
  }

  private static int fail(Exception e, CommandLine command, CommandLine.ParseResult result) {
    PrintWriter err = command.getErr();
    if (e instanceof UsageException) {
      err.println(e.getMessage());
      return UsageException.EXIT_STATUS;
    }
    if (e instanceof RunFailedException) {
      err.println(e.getMessage());
    } else {
      e.printStackTrace(err);
    }
    return RunFailedException.EXIT_STATUS;
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getErr());
    return UsageException.EXIT_STATUS;
  }
}
