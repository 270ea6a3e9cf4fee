// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;

/** Reads Linux's files below {@code /proc} and {@code /sys}. */
public final class ProcFs {

  private ProcFs() {}

  /**
   * The number on the line that begins with {@code key}; empty where there is none, as on other
   * systems.
   *
   * @param key all text before the number
   */
  public static OptionalLong number(Path facts, String key) {
    return number(lines(facts), key);
  }

  /**
   * The bytes that the system has read from devices for this process, including mapped files,
   * read-ahead and read-around; empty if it does not report them. Linux does.
   */
  public static OptionalLong deviceReadBytes() {
    return number(Path.of("/proc/self/io"), "read_bytes:");
  }

  /** As {@link #number(Path, String)}, for lines already read. */
  static OptionalLong number(List<String> facts, String key) {
    for (String line : facts) {
      if (line.startsWith(key)) {
        try {
          String number = line.substring(key.length()).replace("kB", "").strip();
          return OptionalLong.of(Long.parseLong(number));
        } catch (NumberFormatException _) {
          return OptionalLong.empty();
        }
      }
    }
    return OptionalLong.empty();
  }

  /**
   * All lines, with each byte as one character, since names need not be valid text; none if the
   * file is missing.
   */
  static List<String> lines(Path facts) {
    try {
      return Uninterruptibles.call(() -> Files.readAllLines(facts, StandardCharsets.ISO_8859_1));
    } catch (IOException | SecurityException _) {
      return List.of();
    }
  }

  /** Decodes a name in such a line. */
  static String name(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), NativePath.CHARSET);
  }
}
