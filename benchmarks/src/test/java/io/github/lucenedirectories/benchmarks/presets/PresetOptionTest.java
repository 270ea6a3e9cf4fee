package io.github.lucenedirectories.benchmarks.presets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.Main;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** Presets give options, the user's go before them. */
class PresetOptionTest {
  @TempDir private Path folder;

  private static List<String> values(String option, String... arguments) {
    String[] all = new String[arguments.length + 1];
    all[0] = "load";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    CommandLine commands = Main.commands();
    ParseResult parsed = commands.parseArgs(all).subcommand();
    return parsed.hasMatchedOption(option)
        ? parsed.matchedOption(option).originalStringValues()
        : List.of();
  }

  @Test
  void optionsThatAreNotGivenComeFromThePreset() {
    assertEquals(List.of("4"), values("--forks", "--preset", "zing"));
    assertEquals(List.of("4"), values("--forks", "--preset=zing", "--seed", "1"));
    assertEquals(List.of(), values("--forks", "--seed", "1"));
  }

  @Test
  void optionsThatAreGivenGoBefore() {
    assertEquals(List.of("9"), values("--forks", "--preset", "zing", "--forks", "9"));
    assertEquals(List.of("9"), values("--forks", "--forks=9", "--preset=zing"));
    List<String> heaps = values("--heap", "--preset", "zing", "--heap=2m", "--docs", "a", "b");
    assertEquals(List.of("2m"), heaps);
  }

  @Test
  void everyPresetIsUnderstood() {
    for (Preset preset : Preset.ALL) {
      ParseResult parsed =
          Main.commands().parseArgs(preset.command(), "--preset", preset.name()).subcommand();
      assertTrue(parsed.matchedOptions().size() > preset.options().size() / 2);
    }
  }

  @Test
  void unknownOnesAreRefused() {
    EndedCommand.run("load", folder.resolve("out"), "--preset", "zong")
        .assertRefused("unknown preset 'zong': choose from zing");
  }
}
