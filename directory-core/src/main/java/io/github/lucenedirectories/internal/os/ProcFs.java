package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What Linux tells in files below {@code /proc} and {@code /sys}. */
final class ProcFs {

  /** A byte as three octal digits, which stands for a blank, a line's end or a backslash. */
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-3][0-7]{2})");

  private ProcFs() {}

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

  /**
   * All lines, each byte a character, as names in them need not be text; none where there is no
   * such file.
   */
  static List<String> lines(Path facts) {
    try {
      return Uninterruptibles.call(() -> Files.readAllLines(facts, StandardCharsets.ISO_8859_1));
    } catch (IOException | SecurityException _) {
      return List.of();
    }
  }

  /** A name that stands in such a line as it is. */
  static String name(String bytes) {
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), NativePath.CHARSET);
  }

  /** A name in a line of {@code mountinfo}, where what parts lines is escaped. */
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
