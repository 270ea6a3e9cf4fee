// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.EOFException;
import java.util.Locale;
import org.apache.lucene.store.IndexInput;

/** The exceptions that an input throws for positions and ranges outside its bytes. */
public final class RangeErrors {

  private RangeErrors() {}

  public static IllegalArgumentException seekToNegative(long pos, IndexInput in) {
    return new IllegalArgumentException("seek to a negative position: pos=" + pos + ": " + in);
  }

  public static EOFException seekPastEnd(long pos, IndexInput in) {
    return new EOFException("seek past end: pos=" + pos + ", length=" + in.length() + ": " + in);
  }

  public static IllegalArgumentException readAtNegative(long pos, IndexInput in) {
    return new IllegalArgumentException("read at a negative position: pos=" + pos + ": " + in);
  }

  public static EOFException readPastEnd(long pos, long bytes, IndexInput in) {
    return new EOFException(
        "read past end: pos=" + pos + ", bytes=" + bytes + ", length=" + in.length() + ": " + in);
  }

  public static IllegalArgumentException sliceOutOfRange(
      String slice, long offset, long sliceLength, IndexInput in) {
    return new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "slice out of range: slice=%s, offset=%s, sliceLength=%s, length=%s: %s",
            slice,
            offset,
            sliceLength,
            in.length(),
            in));
  }
}
