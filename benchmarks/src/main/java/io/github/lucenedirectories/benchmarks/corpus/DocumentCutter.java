package io.github.lucenedirectories.benchmarks.corpus;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a long text into documents of about {@value #TARGET_BYTES} bytes: as many equal parts as
 * come nearest to that size, each cut moved to the next white space so that no word is split.
 */
public final class DocumentCutter {
  /** The size a document comes near to, in bytes of UTF-8. */
  public static final int TARGET_BYTES = 1024;

  private DocumentCutter() {}

  /** The parts in order; together they hold every word of the text, none is blank. */
  public static List<String> cut(String text) {
    String rest = text.strip();
    List<String> parts = new ArrayList<>();
    if (rest.isEmpty()) {
      return parts;
    }
    int bytes = rest.getBytes(StandardCharsets.UTF_8).length;
    int count = Math.max(1, Math.round((float) bytes / TARGET_BYTES));
    int partChars = (rest.length() + count - 1) / count;
    while (rest.length() > partChars) {
      int end = partChars;
      while (end < rest.length() && !Character.isWhitespace(rest.charAt(end))) {
        end++;
      }
      parts.add(rest.substring(0, end).strip());
      rest = rest.substring(end).strip();
    }
    if (!rest.isEmpty()) {
      parts.add(rest);
    }
    return parts;
  }
}
