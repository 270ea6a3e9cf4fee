package io.github.lucenedirectories.benchmarks.measures;

import io.github.lucenedirectories.benchmarks.results.Estimate;
import io.github.lucenedirectories.benchmarks.results.Presentation;

/**
 * One figure that a workload takes.
 *
 * @param task its name in {@code results.json}
 * @param heading its name in a table of its group
 */
public record Measure(String task, String heading, String unit, Better better) {

  /** Which way of differing is good. */
  public enum Better {
    HIGHER,
    LOWER,
    /** It only describes what went on, and is not compared. */
    NEITHER
  }

  /** What a ratio to another directory's figure says. */
  Estimate.Verdict verdict(Estimate ratio) {
    return better == Better.LOWER ? ratio.verdict().opposite() : ratio.verdict();
  }

  boolean isCompared() {
    return better != Better.NEITHER;
  }

  Presentation.Shown presentation() {
    return new Presentation.Shown(
        task,
        heading,
        unit,
        io.github.lucenedirectories.benchmarks.results.Better.valueOf(better.name()));
  }
}
