// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import java.io.Closeable;

/**
 * A directory that takes turns with others in one JVM. This interface is the only class of ours
 * that the class loaders of all contenders share, so it speaks in types of the JDK.
 */
public interface Contender extends Closeable {
  /** Runs every query once and returns the answers as JSON. */
  String answers() throws Exception;

  /**
   * Runs the queries of one kind for about this long, the whole list each time and at least once.
   * Returns queries per second.
   *
   * @param searcher which of its searchers does it; each is for one thread at a time
   */
  double turn(int searcher, String kind, long nanos) throws Exception;

  /** What all turns so far allocated on the heap, for each query. */
  double allocatedBytes();

  /** The directory as it describes itself. */
  String directory();
}
