package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;

/** What a fork does, from its start to its end. */
public interface ForkJob {

  /** Does the work; what is left open when it returns ends with the JVM. */
  void run(Fork parent) throws IOException;
}
