package io.github.lucenedirectories.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

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
    return number(lines(facts), key);
  }

  /** The same of lines that were read before. */
  static OptionalLong number(List<String> facts, String key) {
    try {
      return facts.stream()
          .filter(line -> line.startsWith(key))
          .mapToLong(line -> Long.parseLong(line.substring(key.length()).replace("kB", "").strip()))
          .findFirst();
    } catch (NumberFormatException _) {
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
}
