package io.github.lucenedirectories.benchmarks.prepare;

import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
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
    List<TaskSelection.Skipped> skipped) {

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

  /** What was left out, as the results have it. */
  public List<Results.Skipped> notRun() {
    return skipped.stream().map(s -> new Results.Skipped(s.kind(), s.lines(), s.reason())).toList();
  }
}
