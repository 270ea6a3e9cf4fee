package io.github.lucenedirectories.benchmarks.cli;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The option {@code --preset NAME}: the options of an experiment, in the resource {@code
 * presets/COMMAND-NAME.args}. The user's own options win.
 */
public final class Presets {
  public static final Map<String, List<String>> NAMES =
      Map.of(
          "commit", List.of("pmem"),
          "compare", List.of("pmem"),
          "load", List.of("zing"),
          "memory-limit", List.of("engels"),
          "nrt", List.of("nrt", "pmem"));

  private static final String OPTION = "--preset";

  /* In arguments, one a line. */
  private static final Pattern GIVEN = Pattern.compile("(?m)^" + OPTION + "[=\n](.*)$");

  private Presets() {}

  public static void describe(CommandLine command) {
    List<String> names = NAMES.get(command.getCommandName());
    if (names != null && command.getCommandSpec().findOption(OPTION) == null) {
      command
          .getCommandSpec()
          .addOption(
              OptionSpec.builder(OPTION)
                  .paramLabel("NAME")
                  .type(String.class)
                  .description(
                      Numbers.text(
                          "the options of an experiment (%s); options that you give replace its"
                              + " own",
                          String.join(", ", names)))
                  .build());
    }
  }

  /** Puts a preset's options before those of the user, but for those that the user gives too. */
  public static String[] expand(String... arguments) {
    List<String> given = List.of(arguments);
    String preset = value(given);
    if (preset == null || !NAMES.containsKey(given.getFirst())) {
      return arguments;
    }
    List<String> names = Objects.requireNonNull(NAMES.get(given.getFirst()));
    if (!names.contains(preset)) {
      throw new UsageException(
          "unknown preset '" + preset + "': choose from " + String.join(", ", names));
    }
    List<String> expanded = new ArrayList<>(given);
    int at = 1;
    for (String line : lines(given.getFirst() + "-" + preset)) {
      String name = name(line);
      if (name.startsWith("--") && given.stream().noneMatch(g -> name(g).equals(name))) {
        expanded.add(at++, line);
      }
    }
    return expanded.toArray(String[]::new);
  }

  private static @Nullable String value(List<String> given) {
    Matcher preset = GIVEN.matcher(String.join("\n", given));
    return preset.find() ? preset.group(1) : null;
  }

  private static String name(String argument) {
    return argument.split("=", 2)[0];
  }

  private static List<String> lines(String preset) {
    try (InputStream in = Presets.class.getResourceAsStream("/presets/" + preset + ".args")) {
      return new String(Objects.requireNonNull(in, preset).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
