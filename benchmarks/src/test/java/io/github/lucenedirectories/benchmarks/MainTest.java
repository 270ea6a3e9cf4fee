package io.github.lucenedirectories.benchmarks;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
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
    }
  }
}
