package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** A command as a user types it, and what it printed. */
record CommandRun(int status, String out, String err) {

  static CommandRun of(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command = Main.commands();
    command.setOut(new PrintWriter(out, true));
    command.setErr(new PrintWriter(err, true));
    int status = command.execute(arguments);
    return new CommandRun(status, out.toString(), err.toString());
  }

  /** Runs a command that must end at once in that one line. */
  static void refused(String message, String... arguments) {
    CommandRun run = of(arguments);
    assertEquals(message, run.err().strip());
    assertEquals(UsageException.EXIT_STATUS, run.status());
    assertEquals("", run.out());
  }
}
