// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Takes the bytes of one new file into memory. {@link #seal} or {@link #discard} ends it;
 * afterwards all other methods throw {@link org.apache.lucene.store.AlreadyClosedException}, and
 * {@code discard} does nothing. A second thread can disturb only the order of the bytes.
 */
public interface MemorySink {

  /** The estimate of a length of which nothing is known. */
  long UNKNOWN = -1;

  /**
   * The length in bytes that a new file is unlikely to exceed, or {@link #UNKNOWN}. Lucene
   * estimates a whole segment, of which the file is a part. The estimate may be too low if the
   * codec that writes needs more bytes than the codec that wrote the merged segments.
   */
  static long estimate(IOContext context) {
    long segment = UNKNOWN;
    if (context.mergeInfo() != null) {
      segment = context.mergeInfo().estimatedMergeBytes();
    } else if (context.flushInfo() != null) {
      segment = context.flushInfo().estimatedSegmentSize();
    }
    return segment <= 0 ? UNKNOWN : Math.min(segment, Long.MAX_VALUE / 2) * 2;
  }

  /**
   * Appends bytes.
   *
   * @throws IOException if there is no memory; then nothing was appended
   */
  void append(byte[] bytes, int offset, int length) throws IOException;

  /** Writes the bytes appended so far to an output. */
  void writeTo(IndexOutput output) throws IOException;

  /**
   * Completes the file.
   *
   * @throws IOException if there is no memory; the sink is then unchanged
   */
  FileContents seal() throws IOException;

  /** Drops the appended bytes. */
  void discard();
}
