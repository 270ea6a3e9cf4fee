// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.model;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;

/**
 * Random operations against a map of byte arrays.
 *
 * <p>The system property {@value #OPERATIONS} sets how many operations a run has; Lucene's {@code
 * tests.multiplier} multiplies it.
 */
public class ModelSuite extends DirectorySuite {

  static final String OPERATIONS = "testkit.operations";

  public ModelSuite(Subject subject) {
    super(subject);
  }

  private static int operations() {
    return Integer.getInteger(OPERATIONS, 6_000) * RANDOM_MULTIPLIER;
  }

  public void testRandomOperations() throws IOException {
    run(subject, operations());
  }

  /** Chunks from one byte up, so that everything that can cross an edge does. */
  public void testRandomOperationsOverChunks() throws IOException {
    assumeTrue("the length of chunks cannot be chosen", subject.chunkable());
    for (int chunkBytes : new int[] {1, 2, 4, 8, 32, 1 << 12, 1 << 16}) {
      run(subject.chunked(chunkBytes), operations() / 6);
    }
  }

  private static void run(Subject variant, int operations) throws IOException {
    new ModelRun(variant, createTempDir(), random()).run(operations);
  }
}
