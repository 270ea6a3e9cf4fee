package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Coverage;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.List;

/** The table of coverage, for the command that prints it itself. */
public final class CoverageSection {
  /** What the counts mean. */
  public static final String MEANING = Coverage.MEANING;

  private final Results results;

  public CoverageSection(Results results) {
    this.results = results;
  }

  /** The name of a kind's figure in one of many comparisons. */
  public static String task(String kind, int comparison) {
    return Coverage.task(kind, comparison);
  }

  /** The table for a terminal. */
  public List<String> lines() {
    TextTable text = new TextTable();
    for (Results.Table table : Coverage.checked(results).tables()) {
      text.add(table.header());
      table.rows().forEach(text::add);
    }
    return text.lines();
  }
}
