package io.github.lucenedirectories.benchmarks.advise;

import java.util.Locale;

/**
 * How many queries a user gave.
 *
 * @param lines in the file
 * @param notRun those that cannot be asked here
 */
record GivenLines(int lines, int notRun) {

  /** As {@code 19 of your 20 queries (95 %)}. */
  String leftOut() {
    return String.format(
        Locale.ROOT, "%,d of your %,d queries (%.0f %%)", notRun, lines, 100.0 * notRun / lines);
  }
}
