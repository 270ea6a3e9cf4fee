package io.github.lucenedirectories.benchmarks.load;

/** The percentiles that are told of every rate. */
enum Tail {
  P50("p50", 50),
  P90("p90", 90),
  P99("p99", 99),
  P99_9("p99.9", 99.9),
  P99_99("p99.99", 99.99);

  private final String label;
  private final double percent;

  Tail(String label, double percent) {
    this.label = label;
    this.percent = percent;
  }

  /** The name in results. */
  String label() {
    return label;
  }

  /** How many percent of the values are not above it. */
  double percent() {
    return percent;
  }
}
