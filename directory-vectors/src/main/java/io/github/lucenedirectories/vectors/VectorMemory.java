// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.index.IndexReader;

/** Decides whether the vectors that this process searches fit in the page cache. */
final class VectorMemory {

  /** The share of the page cache that vectors may take: graphs and postings need memory too. */
  private static final double FITS = 0.9;

  /** The answer is as old as this at most. */
  private static final long MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final AtomicLong BYTES = new AtomicLong();

  private static volatile long decidedNanos = System.nanoTime() - MAX_AGE_NANOS;
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
    if (System.nanoTime() - decidedNanos >= MAX_AGE_NANOS) {
      fit = bytes() <= FITS * AvailableMemory.pageCacheBytes();
      decidedNanos = System.nanoTime();
    }
    return fit;
  }
}
