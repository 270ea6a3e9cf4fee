package io.github.lucenedirectories.benchmarks.tasks;

import java.util.List;

/**
 * What a task found, in full, to be compared between directories.
 *
 * @param total the number of hits; with a {@code +} where Lucene stopped counting
 * @param hits best first
 */
public record Answer(String total, List<Hit> hits) {

  /**
   * One hit, or whatever a kind has in place of hits.
   *
   * @param doc Lucene's number of the document; a label's rank for a count by label
   * @param score NaN where a kind has none
   * @param detail what else must be the same: sort values, a label, the stored text; often empty
   */
  public record Hit(int doc, float score, String detail) {}
}
