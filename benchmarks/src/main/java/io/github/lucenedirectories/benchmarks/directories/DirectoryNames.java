package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Finds the directory that a name on the command line means. */
final class DirectoryNames {

  private DirectoryNames() {}

  /**
   * The one of a name, whose case does not matter.
   *
   * @throws UsageException if there is none, naming all there are
   */
  static <T> T find(String name, T[] all, Function<T, String> label) {
    return Arrays.stream(all)
        .filter(directory -> label.apply(directory).equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "unknown directory '"
                        + name
                        + "': choose from "
                        + Arrays.stream(all).map(label).collect(Collectors.joining(", "))));
  }
}
