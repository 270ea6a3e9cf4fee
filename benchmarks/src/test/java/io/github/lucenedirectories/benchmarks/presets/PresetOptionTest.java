package io.github.lucenedirectories.benchmarks.presets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.EndedCommand;
import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
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
    assertEquals(List.of("100"), values("--updates", "--preset", "zing"));
    assertEquals(List.of("100"), values("--updates", "--preset=zing", "--seed", "1"));
    assertEquals(List.of(), values("--updates", "--seed", "1"));
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

  /** Far enough to refuse where the results should go; some need control groups before that. */
  @Test
  void everyPresetHasValuesThatItsCommandTakes() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    for (Preset preset : Preset.ALL) {
      EndedCommand ended = EndedCommand.run(preset.command(), file, "--preset", preset.name());
      assertEquals(2, ended.status(), preset + ": " + ended.err());
      if (!preset.command().equals("memory-limit")) {
        ended.assertRefused("not a folder: " + file);
      }
    }
  }

  @Test
  void everyPresetHasColumnsThatExist() {
    for (Preset preset : Preset.ALL) {
      ParseResult parsed =
          Main.commands().parseArgs(preset.command(), "--preset", preset.name()).subcommand();
      if (parsed.hasMatchedOption("--directories")) {
        List<String> names = parsed.matchedOption("--directories").getValue();
        boolean reads = Set.of("compare", "memory-limit").contains(preset.command());
        for (String name : names) {
          assertEquals(
              name,
              reads
                  ? ReadableDirectory.named(name).label()
                  : Variants.named(name, Use.WRITE).name());
        }
      }
    }
  }

  @Test
  void engelsIsAGridOfBlocksAndShares() {
    List<String> names =
        Main.commands()
            .parseArgs("memory-limit", "--preset", "engels")
            .subcommand()
            .matchedOption("--directories")
            .getValue();
    assertEquals(10, names.size(), names.toString());
    assertTrue(names.contains("BlockCacheDirectory[4KiB,50%]"), names.toString());
    assertEquals(names.size(), Set.copyOf(names).size());
  }

  @Test
  void unknownOnesAreRefused() {
    EndedCommand.run("load", folder.resolve("out"), "--preset", "zong")
        .assertRefused("unknown preset 'zong': choose from zing");
    EndedCommand.run("nrt", folder.resolve("out"), "--preset", "zing")
        .assertRefused("unknown preset 'zing': choose from nrt, pmem");
  }
}
