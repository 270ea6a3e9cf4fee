package io.github.lucenedirectories.benchmarks.nrt;

/** What is measured again and again in a fork. */
enum Latency {
  QUERY("query"),
  REOPEN("reopen"),
  OWN("own part of reopen"),
  CPU("processor time of reopen"),
  CLOSE("close of old reader"),
  LAG("update lag"),
  COMMIT("commit");

  private final String label;

  Latency(String label) {
    this.label = label;
  }

  /** The name in results. */
  String label() {
    return label;
  }
}
