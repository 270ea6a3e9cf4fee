// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.index;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/** The check of a whole index by Lucene's {@code CheckIndex}. */
public final class CleanIndex {

  private CleanIndex() {}

  /**
   * Fails with the report of {@code CheckIndex} unless it finds nothing. A nightly run looks
   * deeper.
   */
  public static void check(Directory directory) throws IOException {
    ByteArrayOutputStream report = new ByteArrayOutputStream();
    try (CheckIndex check = new CheckIndex(directory)) {
      check.setLevel(
          LuceneTestCase.TEST_NIGHTLY
              ? CheckIndex.Level.MIN_LEVEL_FOR_SLOW_CHECKS
              : CheckIndex.Level.MIN_LEVEL_FOR_INTEGRITY_CHECKS);
      check.setInfoStream(new PrintStream(report, true, StandardCharsets.UTF_8));
      if (!check.checkIndex().clean) {
        throw new AssertionError(report.toString(StandardCharsets.UTF_8));
      }
    }
  }
}
