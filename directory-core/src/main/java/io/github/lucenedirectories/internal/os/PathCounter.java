// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.util.concurrent.atomic.LongAdder;

/**
 * A count of how often one of several equivalent code paths was taken, over the whole process.
 *
 * <p>A directory falls back silently where a native call is refused or a file does not fit one
 * segment; these counts let a test see which path really ran. They are incremented when a file is
 * opened or a call is set up, never for each read. All methods may be called from any thread.
 */
public enum PathCounter {
  /** A {@code SegmentIndexInput} was opened over one contiguous segment. */
  CONTIGUOUS_INPUT,
  /** A {@code SegmentIndexInput} was opened over several chunks. */
  CHUNKED_INPUT,
  /** A file was opened for positional reads by native {@code pread}. */
  NATIVE_READ_FILE,
  /** A file was opened for positional reads through {@code FileChannel}. */
  CHANNEL_READ_FILE,
  /** A file was opened for writes that bypass the page cache. */
  DIRECT_WRITE_FILE,
  /** Native {@code posix_fadvise} was called to load a part of a file. */
  NATIVE_PREFETCH,
  /** Advice for a mapping was passed to the kernel by native {@code madvise}. */
  NATIVE_ADVICE,
  /** A file was mapped into memory. */
  CHANNEL_MAP,
  /** Address space for a file in memory was reserved by native {@code mmap}. */
  NATIVE_MEMORY,
  /** Memory for a file was allocated piece by piece and copied when it was complete. */
  ALLOCATED_MEMORY;

  private final LongAdder taken = new LongAdder();

  public void increment() {
    taken.increment();
  }

  /** How often this path was taken since the process started. */
  public long count() {
    return taken.sum();
  }
}
