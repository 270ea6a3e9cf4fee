// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;

/**
 * Prefetches what follows a run of an input's reads, where the kernel loads only what is read. A
 * run reads on, or steps over at most {@value #MOST_STEP_BYTES} bytes; any other seek ends it.
 */
final class RunPrefetcher {

  /** A run is noticed after so many bytes. */
  private static final long RUN_BYTES = 16 << 10;

  private static final long MOST_STEP_BYTES = 4 << 10;
  private static final long MOST_BYTES = 128 << 10;

  /** The position from which on something is prefetched; {@code MAX_VALUE} for none. */
  private long next = RUN_BYTES;

  /** Up to where the run was prefetched. */
  private long end;

  /** How many bytes were last prefetched at once, twice as many each time; 0 before a run. */
  private long window;

  void start(long pos) {
    next = pos + RUN_BYTES;
    end = pos;
    window = 0;
  }

  /** Call before a seek, which may end the run. */
  void seek(long from, long pos) {
    if (pos < from || pos - from > MOST_STEP_BYTES) {
      start(pos);
    }
  }

  /** Call when the run has reached a position. */
  void reached(long pos, IndexInput in) throws IOException {
    if (pos >= next) {
      window = Math.clamp(2 * window, RUN_BYTES, MOST_BYTES);
      long length = in.length();
      long from = Math.min(Math.max(pos, end), length);
      end = Math.min(from + window, length);
      next = end == length ? Long.MAX_VALUE : end - window / 2;
      in.prefetch(from, end - from);
    }
  }
}
