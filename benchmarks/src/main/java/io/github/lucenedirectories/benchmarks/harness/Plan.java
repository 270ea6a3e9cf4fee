package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Analysis.Combination;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a workload will do, after its options were checked and its input was prepared.
 *
 * @param input what a fork needs to know, the same for all columns; recorded in the results
 * @param columns in the order of reports; the first is the baseline
 * @param references labels of columns that all others are compared with, the baseline first
 * @param pairs further comparisons
 * @param forks of each column
 * @param flags of the forks' JVMs
 * @param page what the report says of the run
 */
public record Plan<P>(
    P input,
    List<Column> columns,
    List<String> references,
    List<Pair> pairs,
    int forks,
    JvmFlags flags,
    Page page) {

  /**
   * Compares one column with another, or with a value computed from several others.
   *
   * @param reference a column's label, or the name of a computed reference
   * @param of labels of the columns it is computed from; {@code reference} alone for a column
   * @param how combines their values of one figure
   */
  public record Pair(String column, String reference, List<String> of, Combination how) {

    /** A pair of columns. */
    public static Pair of(String column, String reference) {
      return new Pair(column, reference, List.of(reference), Combination.FIRST);
    }
  }

  /**
   * What a report says of a run.
   *
   * @param notes what was measured and how, a paragraph each
   * @param facts what the results record of the input besides the plan
   * @param skipped what was asked for and cannot run here
   */
  public record Page(
      String title, List<String> notes, Map<String, Object> facts, List<Results.Skipped> skipped) {
    public Page {
      notes = List.copyOf(notes);
      facts = new LinkedHashMap<>(facts);
      skipped = List.copyOf(skipped);
    }
  }

  public Plan {
    columns = List.copyOf(columns);
    references = List.copyOf(references);
    pairs = List.copyOf(pairs);
  }
}
