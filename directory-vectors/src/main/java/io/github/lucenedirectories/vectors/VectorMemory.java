// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexReader;

/** Whether the vectors that searches of this process score fit in the page cache. */
final class VectorMemory {

  /** They fit if they take at most this share: graphs and postings need memory too. */
  private static final double FITS = 0.9;

  /** How old the answer may be. */
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final AtomicLong BYTES = new AtomicLong();

  private static volatile long lookedNanos = System.nanoTime() - LOOK_NANOS;
  private static volatile boolean fit;

  private VectorMemory() {}

  /** Counts the vectors of a field of a segment until its core is closed. */
  static void count(IndexReader.CacheHelper core, long bytes) {
    core.addClosedListener(_ -> BYTES.addAndGet(-bytes));
    BYTES.addAndGet(bytes);
  }

  static long bytes() {
    return BYTES.get();
  }

  static boolean fits() {
    if (System.nanoTime() - lookedNanos >= LOOK_NANOS) {
      fit = bytes() <= FITS * AvailableMemory.pageCacheBytes();
      lookedNanos = System.nanoTime();
    }
    return fit;
  }
}
