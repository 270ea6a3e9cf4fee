package io.github.lucenedirectories.core;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** Numbers that Linux tells in files below {@code /proc}, a line each. */
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

  private static OptionalLong read(Path facts, String key) throws IOException {
    try (Stream<String> lines = Files.lines(facts)) {
      return lines
          .filter(line -> line.startsWith(key))
          .mapToLong(line -> Long.parseLong(line.substring(key.length()).replace("kB", "").strip()))
          .findFirst();
    }
  }
}
