package io.github.lucenedirectories.benchmarks.report;

/** A part of a page. */
public interface HtmlSection {

  /** Appends its HTML, all text in it escaped. */
  void write(StringBuilder html);
}
