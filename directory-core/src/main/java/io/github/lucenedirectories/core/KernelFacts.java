package io.github.lucenedirectories.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** What Linux tells in files below {@code /proc} and {@code /sys}. */
final class KernelFacts {

  private KernelFacts() {}

  /**
   * The number on the line that begins with {@code key}; empty where there is none, as on other
   * systems.
   *
   * @param key with all that stands before the number
   */
  static OptionalLong number(Path facts, String key) {
    try {
      return Interrupts.shield(() -> read(facts, key));
    } catch (IOException | UncheckedIOException | NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  /** All lines; none where there is no such file. */
  static List<String> lines(Path facts) {
    try {
      return Interrupts.shield(() -> Files.readAllLines(facts));
    } catch (IOException _) {
      return List.of();
    }
  }

  private static OptionalLong read(Path facts, String key) throws IOException {
    try (Stream<String> lines = Files.lines(facts)) {
      return lines
          .filter(line -> line.startsWith(key))
          .mapToLong(line -> Long.parseLong(line.substring(key.length()).replace("kB", "").strip()))
          .findFirst();
    }
  }
}
