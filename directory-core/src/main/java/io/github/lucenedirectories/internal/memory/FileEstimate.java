package io.github.lucenedirectories.internal.memory;

import org.apache.lucene.store.IOContext;

/** Lucene's estimate of the length of a new file. */
public final class FileEstimate {

  /** The estimate if nothing is known. */
  public static final long UNKNOWN = -1;

  private FileEstimate() {}

  /**
   * The length in bytes that a file will hardly exceed, or {@link #UNKNOWN}. Lucene estimates a
   * whole segment, of which the file is a part. The estimate may be too low if the codec that
   * writes needs more bytes than the codec that wrote the merged segments.
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
