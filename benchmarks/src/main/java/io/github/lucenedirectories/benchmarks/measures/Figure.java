package io.github.lucenedirectories.benchmarks.measures;

import java.util.List;

/**
 * What one fork found of one measure.
 *
 * @param parts the values that it was made of, where they are worth keeping
 */
public record Figure(double value, List<Double> parts) {

  public Figure {
    parts = List.copyOf(parts);
  }

  /** A figure that was measured as a whole. */
  public static Figure of(double value) {
    return new Figure(value, List.of());
  }
}
