// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.lucenedirectories.tools.console.CommandLines;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** A command as a user types it, after its end. */
@Command(
    subcommands = {
      ResidencyCommand.class,
      WarmCommand.class,
      CheckCommand.class,
      CopyCommand.class,
      PmemCommand.class
    })
record TypedCommand(int status, String out, String err) {

  public static void main(String[] args) {
    CommandLines.runAndExit(commands(), args);
  }

  private static CommandLine commands() {
    return CommandLines.of(new TypedCommand(0, "", ""), new CommandLines.Common());
  }

  static TypedCommand run(Object... words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status =
        commands()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(Stream.of(words).map(Object::toString).toArray(String[]::new));
    return new TypedCommand(status, out.toString(), err.toString());
  }

  /** Asserts that it refused its input with one line and nothing else. */
  void assertRefused(String message) {
    assertEquals(message, err.strip());
    assertEquals(2, status);
    assertEquals("", out);
  }

  /** Asserts that it ran to its end without a word of complaint. */
  void assertDone() {
    assertEquals("", err);
    assertEquals(0, status);
  }
}
