// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools.console;

import java.io.File;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/** Command lines whose errors are one line that says what to do. */
public final class CommandLines {
  private static final String NAME = "java -jar ";

  private CommandLines() {}

  /** The options of every command: a mixin of the command at the root. */
  public static final class Common {
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
  }

  /** The command line of a root command with its common options. */
  public static CommandLine of(Object root, Common common) {
    CommandLine commands = new CommandLine(root);
    String classPath = System.getProperty("java.class.path");
    if (classPath.endsWith(".jar") && classPath.indexOf(File.pathSeparatorChar) < 0) {
      commands.setCommandName(NAME + Path.of(classPath).getFileName());
    }
    return commands
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true)
        .setParameterExceptionHandler((e, _) -> refuse(e, common))
        .setExecutionExceptionHandler((e, command, _) -> fail(e, command, common));
  }

  /** Runs a command and ends the JVM with its status. */
  public static void runAndExit(CommandLine commands, String... args) {
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    System.exit(commands.setOut(out).setErr(err).execute(args));
  }

  private static int refuse(ParameterException e, Common common) {
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
    PrintWriter err = e.getCommandLine().getErr();
    return print(message + hint, e, err, UsageException.EXIT_STATUS, common);
  }

  private static int fail(Exception e, CommandLine command, Common common) {
    PrintWriter err = command.getErr();
    if (e instanceof UsageException) {
      String line = String.valueOf(e.getMessage()).replace("\n", " ");
      return print(line, e, err, UsageException.EXIT_STATUS, common);
    }
    String message =
        e instanceof RunFailedException
            ? String.valueOf(e.getMessage())
            : command.getCommandSpec().qualifiedName()
                + " failed: "
                + String.valueOf(e).lines().findFirst().orElse("")
                + "; --debug prints the stack trace";
    return print(message, e, err, RunFailedException.EXIT_STATUS, common);
  }

  private static int print(
      String message, Exception e, PrintWriter err, int status, Common common) {
    err.println(message);
    if (common.debug) {
      e.printStackTrace(err);
    }
    return status;
  }
}
