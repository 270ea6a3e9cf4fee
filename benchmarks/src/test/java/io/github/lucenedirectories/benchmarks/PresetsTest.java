// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParseResult;

/**
 * The files of options of the experiments, where what the user gives after them counts, and the
 * commands of README and guide.
 */
class PresetsTest {
  /* Tests run in a folder below that of the sources. */
  private static final Path FOLDER =
      Stream.iterate(Path.of("").toAbsolutePath(), Objects::nonNull, Path::getParent)
          .map(folder -> folder.resolve("benchmarks").resolve("presets"))
          .filter(Files::isDirectory)
          .findFirst()
          .orElseThrow();

  /** In a block or in a text, up to a comment. */
  private static final Pattern COMMAND =
      Pattern.compile("\\./run ([^`#\\n]+)(?:[`#]|$)", Pattern.MULTILINE);

  private static final Pattern OF_THE_SCRIPT = Pattern.compile("\"\\$\\{1:-}\" = ([a-z][a-z-]*)");

  private static ParseResult parse(String preset, String... more) {
    List<String> words = new ArrayList<>(List.of(preset.replaceFirst("-[a-z]+$", "")));
    words.add("@" + FOLDER.resolve(preset));
    words.addAll(List.of(more));
    return Main.commands().parseArgs(words.toArray(String[]::new)).subcommand();
  }

  @Test
  void optionsThatAreGivenReplaceThePresets() {
    assertEquals(Integer.valueOf(5), parse("load-zing").matchedOptionValue("--forks", 0));
    ParseResult parsed = parse("load-zing", "--forks", "9", "--docs", "a");
    assertEquals(Integer.valueOf(9), parsed.matchedOptionValue("--forks", 0));
    assertEquals(Integer.valueOf(100), parsed.matchedOptionValue("--updates", 0));
  }

  static Stream<String> presets() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("presets")
  void everyPresetIsUnderstoodAndNamesVariants(String preset) {
    ParseResult parsed = parse(preset);
    assertTrue(parsed.matchedOptions().size() >= 2);
    ArgSpec directories = parsed.matchedOption("--directories");
    boolean reads = preset.startsWith("compare") || preset.startsWith("memory-limit");
    if (directories != null) {
      List<String> names = Objects.requireNonNull(directories.getValue());
      assertEquals(names.size(), Set.copyOf(names).size());
      names.forEach(name -> Variants.named(name, reads ? Use.SEARCH : Use.WRITE));
      assertEquals(preset.endsWith("engels"), names.size() == 10, names::toString);
    }
  }

  /** Without those that the script runs itself. */
  static Stream<String> documentedCommands() throws IOException {
    Path root = FOLDER.resolve("../..").normalize();
    List<String> commands = new ArrayList<>();
    try (Stream<Path> guide = Files.walk(root.resolve("docs/guide"))) {
      for (Path page : Stream.concat(guide, Stream.of(root.resolve("README.md"))).toList()) {
        if (page.toString().endsWith(".md")) {
          COMMAND
              .matcher(Files.readString(page).replace("@benchmarks", "@" + FOLDER.getParent()))
              .results()
              .map(command -> command.group(1).replace("'", "").strip())
              .filter(command -> !command.matches("COMMAND.*|.*\\.\\.\\..*"))
              .forEach(commands::add);
        }
      }
    }
    List<String> own =
        OF_THE_SCRIPT
            .matcher(Files.readString(root.resolve("run")))
            .results()
            .map(name -> name.group(1))
            .toList();
    return commands.stream().distinct().filter(each -> !own.contains(each.split(" ", 2)[0]));
  }

  @ParameterizedTest
  @MethodSource("documentedCommands")
  void theGuidesCommandsAreUnderstood(String command) {
    try {
      Main.commands().parseArgs(command.split(" +"));
    } catch (MissingParameterException _) {
      // The text names the command alone.
    }
  }
}
