// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads Linux's files below {@code /proc} and {@code /sys}. */
public final class ProcFs {

  /** A byte escaped as three octal digits: a blank, a line feed or a backslash. */
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-3][0-7]{2})");

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

  /** Decodes a name that is not escaped in such a line. */
  static String name(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), NativePath.CHARSET);
  }

  /** Decodes a name in a line of {@code mountinfo}, where separators are escaped. */
  static String escapedName(String bytes) {
    return name(
        ESCAPE
            .matcher(bytes)
            .replaceAll(
                escape ->
                    Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(escape.group(1), 8)))));
  }
}
