// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
  void helpListsEveryCommandOnOneScreen() {
    String help = Main.commands().getUsageMessage();
    for (String name : Main.commands().getSubcommands().keySet()) {
      assertTrue(help.contains("\n  " + name + " "), name);
    }
    List<String> lines = help.lines().toList();
    lines.forEach(line -> assertTrue(line.length() <= 80, line));
    assertTrue(lines.size() <= 32, help);
    assertTrue(help.contains("Exit codes: 0 "), help);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "comapre | unknown command 'comapre'; did you mean compare?",
        "tets | unknown command 'tets'; did you mean test?",
        "compare --fork 2 | unknown option '--fork'; did you mean --forks?",
        "compare --forks x | Invalid value for option '--forks': 'x' is not an int; see ./run ",
        "compare --forks 0 | --forks must be more than 0: 0",
        "compare --directories Foo | unknown directory 'Foo': choose from MMapDirectory, ",
        "compare --kinds Foo | unknown kind 'Foo': choose from HighTerm, "
      })
  void errorsAreOneLineThatSaysWhatToDo(String typed, String message) {
    List<String> lines = errors((Object[]) typed.split(" "));
    assertEquals(1, lines.size(), lines::toString);
    assertTrue(lines.getFirst().startsWith(message), lines::toString);
    List<String> all = errors((Object[]) (typed + " --debug").split(" "));
    assertTrue(all.size() == 1 || all.get(2).startsWith("\tat "), all::toString);
  }

  @Test
  void anOutputFolderThatIsAFileIsRefusedInOneLine(@TempDir Path folder) throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    for (String command : List.of("compare", "commit", "nrt")) {
      assertEquals(List.of("not a folder: " + file), errors(command, "--out", file), command);
    }
    List<String> below = errors("compare", "--out", file.resolve("below"));
    assertEquals(1, below.size());
    assertTrue(below.getFirst().startsWith("cannot create " + file), below::toString);
  }

  private static List<String> errors(Object... words) {
    EndedCommand ended = EndedCommand.typed(words);
    assertEquals(UsageException.EXIT_STATUS, ended.status());
    return ended.err().lines().toList();
  }
}
