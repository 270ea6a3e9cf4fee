package io.github.lucenedirectories.benchmarks.report;

import java.util.List;

/** A part of a page. */
public interface HtmlSection {

  /** Appends its HTML, all text in it escaped. */
  void write(StringBuilder html);

  /** Its charts, for files of their own. */
  default List<ChartFigure> figures() {
    return List.of();
  }
}
