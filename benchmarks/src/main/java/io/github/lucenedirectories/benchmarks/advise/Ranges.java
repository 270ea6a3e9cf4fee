package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Interval;

/** Intervals of ratios as a recommendation writes them. */
final class Ranges {
  /* From one end to the other; beyond it the ends are digits without meaning. */
  private static final double WIDEST = 20;

  private Ranges() {}

  static String text(Interval interval) {
    return interval.high() > WIDEST * interval.low() ? "hardly known" : Numbers.range(interval);
  }
}
