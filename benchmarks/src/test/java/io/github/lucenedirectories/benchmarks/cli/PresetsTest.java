package io.github.lucenedirectories.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParseResult;

/** Presets give options; the user's own replace them. */
class PresetsTest {

  private static List<String> values(String option, String... arguments) {
    ParseResult parsed = Main.commands().parseArgs(Presets.expand(arguments)).subcommand();
    return parsed.hasMatchedOption(option)
        ? parsed.matchedOption(option).originalStringValues()
        : List.of();
  }

  @Test
  void optionsThatAreNotGivenComeFromThePreset() {
    assertEquals(List.of("100"), values("--updates", "load", "--preset", "zing"));
    assertEquals(List.of("100"), values("--updates", "load", "--preset=zing", "--seed", "1"));
    assertEquals(List.of(), values("--updates", "load", "--seed", "1"));
  }

  @Test
  void optionsThatAreGivenReplaceThePresets() {
    assertEquals(List.of("9"), values("--forks", "load", "--preset", "zing", "--forks", "9"));
    assertEquals(List.of("9"), values("--forks", "load", "--forks=9", "--preset=zing"));
    assertEquals(List.of("2m"), values("--heap", "load", "--preset", "zing", "--heap=2m"));
  }

  static Stream<List<String>> presets() {
    return Presets.NAMES.entrySet().stream()
        .flatMap(entry -> entry.getValue().stream().map(name -> List.of(entry.getKey(), name)));
  }

  @ParameterizedTest
  @MethodSource("presets")
  void everyPresetIsUnderstoodAndNamesVariants(List<String> preset) {
    String command = preset.getFirst();
    ParseResult parsed =
        Main.commands()
            .parseArgs(Presets.expand(command, "--preset", preset.getLast()))
            .subcommand();
    assertTrue(parsed.matchedOptions().size() > 2);
    ArgSpec directories = parsed.matchedOption("--directories");
    boolean reads = Set.of("compare", "memory-limit").contains(command);
    if (directories != null) {
      List<String> names = Objects.requireNonNull(directories.getValue());
      assertEquals(names.size(), Set.copyOf(names).size());
      names.forEach(name -> Variants.named(name, reads ? Use.SEARCH : Use.WRITE));
      assertEquals(preset.getLast().equals("engels"), names.size() == 10, names::toString);
    }
  }
}
