package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks the values a user gives for parameters here, so that no fork has to fail over them. */
final class ParameterValues {
  static final String DIRECTORY = "directory";

  private final Map<String, List<String>> values = new LinkedHashMap<>();

  /**
   * Takes values from both options; {@code directories} wins over a parameter of that name.
   *
   * @throws UsageException if a value is not allowed
   */
  ParameterValues(Map<String, String> commaSeparated, List<String> directories) {
    commaSeparated.forEach((name, text) -> values.put(name, List.of(text.split(","))));
    if (!directories.isEmpty()) {
      values.put(DIRECTORY, directories);
    }
    values.replaceAll(
        (name, given) ->
            given.stream().map(value -> checked(name, value.strip())).distinct().toList());
  }

  /** By the parameter's name; a name may still be unknown. */
  Map<String, List<String>> asMap() {
    return values;
  }

  private static String checked(String name, String value) {
    return switch (name) {
      case DIRECTORY -> DirectoryKind.named(value).className();
      case "fileBytes" -> checkedFileBytes(value);
      case ChainFile.LENGTH -> checkedChainBytes(value);
      case "size" -> inRange(name, value, Writes.MIN_BYTES, InputFile.MAX_READ_BYTES);
      case "readers" -> inRange(name, value, 0, OpenFiles.MAX_READERS);
      case "pair" -> oneOf(name, value, DirectoryPair.OURS, DirectoryPair.LUCENE);
      case "file" -> oneOf(name, value, DirectoryPair.MEMORY, DirectoryPair.MAPPED);
      case "company" -> oneOf(name, value, DirectoryPair.ALONE, DirectoryPair.MIXED);
      default -> value;
    };
  }

  private static String checkedFileBytes(String value) {
    try {
      if (ByteCount.parse(value) >= InputFile.MIN_FILE_BYTES) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      throw new UsageException("fileBytes: " + e.getMessage(), e);
    }
    throw new UsageException("fileBytes must be at least 4m, but was " + value);
  }

  private static String checkedChainBytes(String value) {
    try {
      ChainFile.parse(value);
      return value;
    } catch (IllegalArgumentException e) {
      throw new UsageException(ChainFile.LENGTH + ": " + e.getMessage(), e);
    }
  }

  private static String inRange(String name, String value, int least, int most) {
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return value;
      }
    } catch (NumberFormatException _) {
      // Refused below, like a number out of range.
    }
    throw new UsageException(
        name + " must be a number from " + least + " to " + most + ", but was '" + value + "'");
  }

  private static String oneOf(String name, String value, String... allowed) {
    if (!List.of(allowed).contains(value)) {
      throw new UsageException(
          "unknown " + name + " '" + value + "': choose from " + String.join(", ", allowed));
    }
    return value;
  }
}
