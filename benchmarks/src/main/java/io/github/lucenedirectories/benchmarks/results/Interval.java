package io.github.lucenedirectories.benchmarks.results;

/** A closed interval of a positive quantity. */
public record Interval(double low, double high) {

  /** Whether a value lies in it, its ends included. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }

  /** Half of its length. */
  public double halfWidth() {
    return (high - low) / 2;
  }
}
