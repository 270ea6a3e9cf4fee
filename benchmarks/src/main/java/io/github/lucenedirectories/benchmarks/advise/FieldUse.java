package io.github.lucenedirectories.benchmarks.advise;

import java.util.List;

/**
 * What an index has of one field.
 *
 * @param features in words
 * @param text how well it serves as the text that queries search: 0 without terms, 1 with terms, 2
 *     with frequencies, 3 with positions
 * @param occurrences of terms, in all documents
 */
record FieldUse(String name, List<String> features, int text, long occurrences) {
  @Override
  public String toString() {
    return name + " (" + String.join(", ", features) + ")";
  }
}
