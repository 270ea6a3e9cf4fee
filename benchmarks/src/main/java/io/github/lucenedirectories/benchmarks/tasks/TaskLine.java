package io.github.lucenedirectories.benchmarks.tasks;

/**
 * One line of a luceneutil task file.
 *
 * @param kind the category before the colon, such as {@code AndHighHigh}
 * @param text what is asked, without the comment, such as {@code +public +after}
 */
public record TaskLine(String kind, String text) {
  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
