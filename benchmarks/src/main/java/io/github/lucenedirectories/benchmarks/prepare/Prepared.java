package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import java.util.List;
import java.util.Locale;

/**
 * What the preparing fork found or made.
 *
 * @param index the index's path
 * @param source where its text comes from
 * @param kinds the kinds that will run
 * @param queries that will run
 * @param withoutHits those of them that find nothing; 0 if they were not counted
 * @param skipped what will not
 */
public record Prepared(
    String index,
    String source,
    int documents,
    int segments,
    long bytes,
    List<String> kinds,
    int queries,
    int withoutHits,
    List<Skipped> skipped) {

  /** What was searched, for a reader of the results. */
  public String summary() {
    return String.format(
        Locale.ROOT,
        "%s: %,d documents, %d segments, %s",
        source,
        documents,
        segments,
        Numbers.bytes(bytes));
  }
}
