// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;

/** Prefetches what follows a run of an input's reads, where the kernel loads only what is read. */
final class RunPrefetcher {

  /** A run is noticed after so many bytes, and ends with a longer read. */
  static final long RUN_BYTES = 16 << 10;

  /** A run ends with a longer step, as from the head of a stored chunk to one of its blocks. */
  private static final long MOST_STEP_BYTES = 4 << 10;

  private static final long MOST_BYTES = 128 << 10;

  /** Up to where the run was prefetched. */
  private long end;

  /** How many bytes were last prefetched at once, twice as many each time; 0 before a run. */
  private long window;

  /**
   * Call when reads have reached {@code awaited}: what the last call returned, at first {@link
   * #RUN_BYTES}. Returns {@code MAX_VALUE} if there is nothing left to prefetch.
   *
   * @param step how many bytes a seek stepped over
   */
  long reached(long pos, long step, long awaited, IndexInput in) throws IOException {
    if (step > MOST_STEP_BYTES || pos - awaited > RUN_BYTES) {
      window = 0;
      end = pos + RUN_BYTES;
      return end;
    }
    window = Math.clamp(2 * window, RUN_BYTES, MOST_BYTES);
    long length = in.length();
    long from = Math.min(Math.max(pos, end), length);
    end = Math.min(from + window, length);
    in.prefetch(from, end - from);
    return end == length ? Long.MAX_VALUE : end - window / 2;
  }
}
