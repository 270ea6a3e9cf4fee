// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.junit.rules.TestRule;

/** A directory that the suites are run against: how it is opened and what it promises. */
public interface Subject {

  /**
   * Opens the directory.
   *
   * @param path an existing folder, which may be of a file system that is not the default one; a
   *     directory that keeps no files there ignores it
   */
  Directory open(Path path) throws IOException;

  /** What the directory promises. */
  Set<Promise> promises();

  /**
   * Distance in bytes of the places where a read has to do something special, since a block or a
   * buffer ends; tests concentrate there.
   */
  default int edgeBytes() {
    return 1_024;
  }

  /** Whether the length of the chunks that a longer file lies in can be chosen. */
  default boolean chunkable() {
    return false;
  }

  /** Length of the chunks; {@code Long.MAX_VALUE} if files are never cut. */
  default long chunkBytes() {
    return Long.MAX_VALUE;
  }

  /** The same directory with files cut in chunks of {@code bytes}, a power of two. */
  default Subject chunked(long bytes) {
    throw new UnsupportedOperationException("cannot be cut in chunks: " + this);
  }

  /** Whether tests that take long leave it out, since another directory reads like it. */
  default boolean readsLikeAnother() {
    return false;
  }

  /** What to do around each test. */
  TestRule rule();
}
