package io.github.lucenedirectories.internal.memory;

import org.apache.lucene.store.IOContext;

/** What Lucene tells ahead about the length of a new file. */
public final class FileEstimate {

  /** The estimate of a file that nothing is known of. */
  public static final long UNKNOWN = -1;

  private FileEstimate() {}

  /**
   * The length in bytes that a file will hardly exceed, or {@link #UNKNOWN}. Lucene's estimates are
   * for a whole segment, of which the file is a part; they may fall short where another codec
   * writes more than the one that was read.
   */
  public static long bytes(IOContext context) {
    if (context.mergeInfo() != null) {
      return positive(context.mergeInfo().estimatedMergeBytes());
    }
    return context.flushInfo() == null
        ? UNKNOWN
        : positive(context.flushInfo().estimatedSegmentSize());
  }

  private static long positive(long estimate) {
    return estimate <= 0 ? UNKNOWN : Math.min(estimate, Long.MAX_VALUE / 2) * 2;
  }
}
