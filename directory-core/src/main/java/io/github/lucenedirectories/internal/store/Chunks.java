// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.apache.lucene.util.IOConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Position arithmetic for bytes in chunks of one power-of-two length; the last chunk may be
 * shorter.
 *
 * <p>A position counts from the first byte of the first chunk: its lower {@code shift} bits are the
 * position in a chunk, the rest is the chunk's index. A single chunk of any length counts as one of
 * 2^63 bytes, so that the same arithmetic applies. No method checks ranges; callers must.
 */
public final class Chunks {

  /** The longest chunk, 64 GiB: a longer file is not contiguous. */
  public static final long LARGEST_BYTES = 1L << 36;

  /** The shift of a single chunk. */
  static final int CONTIGUOUS_SHIFT = 63;

  private Chunks() {}

  /** Returns the option if it is a possible length of chunks. */
  public static long checkOption(long chunkBytes) {
    if (chunkBytes < 1 || chunkBytes > LARGEST_BYTES || Long.bitCount(chunkBytes) != 1) {
      throw new IllegalArgumentException(
          "chunkBytes must be a power of two up to "
              + LARGEST_BYTES
              + ": chunkBytes="
              + chunkBytes);
    }
    return chunkBytes;
  }

  /**
   * Cuts the bytes of a file into chunks, at least one.
   *
   * @param chunkBytes power of two
   */
  public static MemorySegment[] of(MemorySegment file, long chunkBytes) {
    if (file.byteSize() <= chunkBytes) {
      return new MemorySegment[] {file};
    }
    MemorySegment[] chunks =
        new MemorySegment[Math.toIntExact((file.byteSize() - 1) / chunkBytes + 1)];
    for (int i = 0; i < chunks.length; i++) {
      long offset = i * chunkBytes;
      chunks[i] = file.asSlice(offset, Math.min(chunkBytes, file.byteSize() - offset));
    }
    return chunks;
  }

  /** The shift for chunks of {@code chunkBytes} bytes, or for a single one. */
  public static int shiftOf(MemorySegment[] chunks, long chunkBytes) {
    return chunks.length == 1 ? CONTIGUOUS_SHIFT : Long.numberOfTrailingZeros(chunkBytes);
  }

  public static long lengthOf(MemorySegment[] chunks, long chunkBytes) {
    return (chunks.length - 1) * chunkBytes + chunks[chunks.length - 1].byteSize();
  }

  /**
   * The chunk in which {@code at} lies. The end of the bytes counts as the end of the last chunk.
   */
  static int indexOf(MemorySegment[] chunks, int shift, long at) {
    return (int) Math.min(at >>> shift, chunks.length - 1);
  }

  /** The bytes between the beginning of a chunk and a position in it, or at its end. */
  static long posInChunk(int shift, int index, long at) {
    return at - ((long) index << shift);
  }

  /** A range of bytes as one segment; null if it lies in several chunks. */
  public static @Nullable MemorySegment rangeOrNull(
      MemorySegment[] chunks, int shift, long at, long length) {
    int index = indexOf(chunks, shift, at);
    MemorySegment chunk = chunks[index];
    long pos = posInChunk(shift, index, at);
    return pos + length <= chunk.byteSize() ? chunk.asSlice(pos, length) : null;
  }

  /**
   * The chunks of a range of bytes. A single chunk is exactly the range. Of several chunks, the
   * first is not cut to the range, so that all but the last keep their length; the last ends with
   * the range, so that no read goes beyond it.
   */
  static MemorySegment[] slice(MemorySegment[] chunks, int shift, long at, long length) {
    MemorySegment contiguous = rangeOrNull(chunks, shift, at, length);
    if (contiguous != null) {
      return new MemorySegment[] {contiguous};
    }
    long end = at + length;
    int first = (int) (at >>> shift);
    int last = (int) ((end - 1) >>> shift);
    MemorySegment[] slice = Arrays.copyOfRange(chunks, first, last + 1);
    slice[last - first] = chunks[last].asSlice(0, posInChunk(shift, last, end));
    return slice;
  }

  /** Runs an action for each part of a range that lies in one chunk. */
  public static void forEachRange(
      MemorySegment[] chunks, int shift, long at, long length, IOConsumer<MemorySegment> action)
      throws IOException {
    for (long done = 0; done < length; ) {
      int index = (int) ((at + done) >>> shift);
      long pos = posInChunk(shift, index, at + done);
      long n = Math.min(length - done, chunks[index].byteSize() - pos);
      action.accept(chunks[index].asSlice(pos, n));
      done += n;
    }
  }
}
