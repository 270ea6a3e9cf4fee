package io.github.lucenedirectories.benchmarks.nrt;

/** The percentiles that are told of every latency. */
enum Percentile {
  P50("p50", 50),
  P90("p90", 90),
  P99("p99", 99),
  P99_9("p99.9", 99.9);

  private final String label;
  private final double percent;

  Percentile(String label, double percent) {
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
