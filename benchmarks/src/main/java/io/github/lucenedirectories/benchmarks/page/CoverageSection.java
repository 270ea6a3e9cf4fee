package io.github.lucenedirectories.benchmarks.page;

import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Coverage;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.List;

/** The table of coverage, for the command that prints it itself. */
public final class CoverageSection {
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
    for (Results.Table table : Coverage.tables(results)) {
      text.add(table.header());
      table.rows().forEach(text::add);
    }
    return text.lines();
  }
}
