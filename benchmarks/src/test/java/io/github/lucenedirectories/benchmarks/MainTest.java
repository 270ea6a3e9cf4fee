package io.github.lucenedirectories.benchmarks;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.CommandSpec;

/** What the commands say of themselves. */
class MainTest {

  static List<CommandSpec> commands() {
    return Main.commands().getSubcommands().values().stream()
        .map(command -> command.getCommandSpec())
        .toList();
  }

  /**
   * The texts around the options are formats: a lone percent sign in them makes picocli complain
   * before it.
   */
  @ParameterizedTest
  @MethodSource("commands")
  void helpIsWellFormed(CommandSpec command) {
    List<String> lines = new ArrayList<>();
    lines.addAll(List.of(command.usageMessage().description()));
    lines.addAll(List.of(command.usageMessage().footer()));
    for (String line : lines) {
      assertDoesNotThrow(() -> String.format(Locale.ROOT, line), line);
      // picocli breaks lines; one that is broken here too would be broken in its middle.
      assertFalse(line.matches("[a-z].*"), line);
    }
  }

  @Test
  void helpNamesWhatTheScriptRunsItself() {
    String help = Main.commands().getUsageMessage();
    assertTrue(help.contains("\n  test  ") && help.contains("\n  pmem-test  "), help);
  }

  @ParameterizedTest
  @CsvSource({"comapre, compare", "compare --fork 2, --forks"})
  void whatWasMeantIsSuggested(String typed, String meant) {
    StringWriter err = new StringWriter();
    int status = Main.commands().setErr(new PrintWriter(err, true)).execute(typed.split(" "));
    assertEquals(UsageException.EXIT_STATUS, status);
    String line = err.toString().strip();
    assertEquals(1, line.lines().count());
    assertTrue(line.contains("; did you mean ") && line.contains(" " + meant), line);
  }
}
