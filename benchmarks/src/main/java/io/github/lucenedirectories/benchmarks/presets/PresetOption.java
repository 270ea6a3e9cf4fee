package io.github.lucenedirectories.benchmarks.presets;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * The option {@code --preset} of a command, and what makes it work: before the command's arguments
 * are read, the preset's options are put in front of them, but for those that the user gives. A
 * command mixes it in and names it as its preprocessor.
 */
public final class PresetOption implements IParameterPreprocessor {
  private static final String NAME = "--preset";

  @Option(
      names = NAME,
      paramLabel = "NAME",
      description = "the options of an experiment; those given besides go before them")
  @SuppressWarnings("unused") // its value is read before picocli sees it
  private String preset = "";

  @Override
  @SuppressWarnings("JdkObsolete") // picocli's own
  public boolean preprocess(
      Stack<String> args, CommandSpec command, ArgSpec arg, Map<String, Object> info) {
    List<String> given = new ArrayList<>(args.reversed());
    String name = value(given);
    if (name != null) {
      Preset found =
          Preset.find(command.name(), name)
              .orElseThrow(
                  () ->
                      new ParameterException(
                          command.commandLine(),
                          "unknown preset '"
                              + name
                              + "': choose from "
                              + String.join(", ", Preset.names(command.name()))));
      for (String option : found.options()) {
        if (given.stream().noneMatch(g -> name(g).equals(name(option)))) {
          args.push(option);
        }
      }
    }
    return false;
  }

  private static @Nullable String value(List<String> given) {
    for (int i = 0; i < given.size(); i++) {
      String argument = given.get(i);
      if (argument.startsWith(NAME + "=")) {
        return argument.substring(NAME.length() + 1);
      }
      if (argument.equals(NAME) && i + 1 < given.size()) {
        return given.get(i + 1);
      }
    }
    return null;
  }

  private static String name(String argument) {
    int equals = argument.indexOf('=');
    return equals < 0 ? argument : argument.substring(0, equals);
  }
}
