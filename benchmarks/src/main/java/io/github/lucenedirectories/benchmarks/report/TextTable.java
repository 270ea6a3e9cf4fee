package io.github.lucenedirectories.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A plain table for the terminal: the first column to the left, the others to the right. */
public final class TextTable {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; all rows of a table have the same number of cells. */
  public void add(List<String> cells) {
    if (!rows.isEmpty() && rows.get(0).size() != cells.size()) {
      throw new IllegalArgumentException("cells=" + cells.size() + ": " + rows.get(0));
    }
    rows.add(List.copyOf(cells));
  }

  /** The lines, without white space at their ends. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < row.size(); column++) {
        String cell = row.get(column);
        String padding = " ".repeat(width(column) - cell.length());
        line.append(column == 0 ? cell + padding : GAP + padding + cell);
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
