// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/**
 * The range that a call would prefetch: Lucene knows where data lies but tells nobody else. During
 * a capture an input of this library hands over the first range that the same thread prefetches,
 * and does not load it.
 */
public final class PrefetchCapture {

  /** A range of an input, which serves the capturing thread. */
  public record Range(IndexInput in, long offset, long length) {}

  private static final ThreadLocal<@Nullable PrefetchCapture> CURRENT = new ThreadLocal<>();

  private @Nullable Range first;

  private PrefetchCapture() {}

  /**
   * Returns the first range that the call prefetches; null if it prefetches none, or in another
   * way. Further ranges are loaded. Captures do not nest.
   */
  public static @Nullable Range of(IORunnable call) throws IOException {
    PrefetchCapture capture = new PrefetchCapture();
    CURRENT.set(capture);
    try {
      call.run();
    } finally {
      CURRENT.remove();
    }
    return capture.first;
  }

  /** Called by an input that should prefetch a range of itself; true if it must not do so. */
  public static boolean takes(IndexInput in, long offset, long length) {
    PrefetchCapture current = CURRENT.get();
    if (current == null || current.first != null) {
      return false;
    }
    current.first = new Range(in, offset, length);
    return true;
  }
}
