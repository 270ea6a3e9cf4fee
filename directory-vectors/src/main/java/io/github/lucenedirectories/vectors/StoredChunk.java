// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.vectors;

import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.store.FileKind;
import io.github.lucenedirectories.internal.store.IoRecorder;
import io.github.lucenedirectories.internal.store.PrefetchCapture;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.MemorySegmentAccessInput;
import org.jspecify.annotations.Nullable;

/** A chunk of compressed stored documents, of which it prefetches those bytes that are needed. */
final class StoredChunk {

  /*
   * Lucene90CompressingStoredFieldsFormat, BEST_SPEED. What a document needs is marked:
   *
   *   * docBase, documents << 2 | dirty << 1 | sliced    VInts
   *   * fields of each document, bytes of each document  see sums; VInts if there is one document
   *   * dictionaryBytes, blockBytes                      VInts, uncompressed
   *   * compressed bytes of the dictionary and of each block: VInts
   *   * the dictionary
   *     the blocks                                       *: that overlap the document
   *
   * A sliced chunk repeats the last four for each SLICE_BYTES; only its last document is longer.
   * Of BEST_COMPRESSION the length of each block lies before the block, so it is loaded whole.
   */

  /** Nearly always the head and the dictionary. */
  static final int HEAD_BYTES = 3 << 10;

  /** Of a longer range the beginning is prefetched: few read all of such a document. */
  static final long MOST_BYTES = 1 << 20;

  static final int SLICE_BYTES = 80 << 10;

  /** Ranges with a smaller gap are prefetched as one. */
  private static final int GAP_BYTES = 1 << 12;

  private static final int MOST_BLOCKS = 64;

  /** How many numbers are packed together. */
  private static final int PACKED = 128;

  private static final @Nullable NativeCalls CALLS = NativeCalls.get().orElse(null);

  /** What a document needs: all up to {@code head}, and then {@code begin} to {@code end}. */
  record Needed(long head, long begin, long end) {}

  private final IndexInput in;
  final long offset;
  private final boolean exact;

  private int docBase;

  /** 0 until a head was read that may be right. */
  private int documents;

  /**
   * A chunk.
   *
   * @param exact whether the format is the one above
   */
  StoredChunk(PrefetchCapture.Range range, boolean exact) throws IOException {
    this.in = range.in().slice("chunk", range.offset(), range.length());
    this.offset = range.offset();
    this.exact = exact;
  }

  boolean contains(int doc) {
    return doc >= docBase && doc - docBase < documents;
  }

  /** Whether nothing has to be waited for to learn what a document needs. */
  boolean isHeadLoaded() throws IOException {
    return !exact || in.slice("head", 0, headBytes()).isLoaded().equals(Optional.of(true));
  }

  void prefetchHead() throws IOException {
    if (!isHeadLoaded()) {
      load(0, headBytes());
    }
  }

  private long headBytes() {
    return Math.min(HEAD_BYTES, in.length());
  }

  /** Prefetches what a document needs apart from the head, or all if that is unknown. */
  void prefetch(int doc) throws IOException {
    Needed needed;
    try {
      needed = exact ? needed(doc) : null;
    } catch (IOException _) {
      // Lucene finds out, too.
      needed = null;
    }
    if (needed == null) {
      prefetchAll();
    } else if (needed.begin - needed.head < GAP_BYTES) {
      load(HEAD_BYTES, needed.end);
    } else {
      load(HEAD_BYTES, needed.head);
      load(needed.begin, needed.end);
    }
  }

  void prefetchAll() throws IOException {
    load(0, in.length());
  }

  private void load(long begin, long end) throws IOException {
    long bytes = Math.min(end - begin, MOST_BYTES);
    if (bytes <= 0) {
      return;
    }
    // Directly: an input that was found in memory for a while skips what it is asked for.
    MemorySegment mapped =
        CALLS != null && in instanceof MemorySegmentAccessInput memory
            ? memory.segmentSliceOrNull(begin, bytes)
            : null;
    if (CALLS == null || mapped == null) {
      in.prefetch(begin, bytes);
    } else {
      CALLS.advise(mapped.address(), bytes, Advice.WILL_NEED);
      IoRecorder.prefetch(FileKind.STORED, bytes);
    }
  }

  /**
   * What a document needs; null if the head is not that of a chunk with this document.
   *
   * @throws IOException if the head ends behind the chunk
   */
  @Nullable Needed needed(int doc) throws IOException {
    documents = 0;
    in.seek(0);
    int first = in.readVInt();
    int token = in.readVInt();
    int count = token >>> 2;
    if (first < 0 || doc < first || doc - first >= count) {
      return null;
    }
    long[] bytes = null;
    if (count == 1) {
      in.readVInt();
      int all = in.readVInt();
      bytes = new long[] {0, all, all};
    } else if (sums(0, count) != null) { // of fields
      bytes = sums(doc - first, count);
    }
    Needed needed =
        bytes == null
            ? null
            : blocksOf(bytes[0], bytes[1], (token & 1) == 0 ? bytes[2] : SLICE_BYTES);
    if (needed != null) {
      docBase = first;
      documents = count;
    }
    return needed;
  }

  /**
   * Reads a number for each document; returns the sum of those before one, the same with that one,
   * and the sum of all; null if they are packed in an unknown way.
   */
  private long @Nullable [] sums(int index, int count) throws IOException {
    int width = in.readByte() / Byte.SIZE;
    if (width == 0) {
      long each = in.readVInt();
      return new long[] {index * each, (index + 1) * each, count * each};
    }
    if ((width != 1 && width != 2 && width != 4) || (long) count * width > in.length()) {
      return null;
    }
    byte[] numbers = new byte[count * width];
    in.readBytes(numbers, 0, numbers.length);
    // Of each 128 numbers the first one is the highest part of the first long, the second one that
    // of the second long, and so on. Fewer numbers at the end lie one behind the other.
    int longs = PACKED * width / Long.BYTES;
    int unpacked = count - count % PACKED;
    long[] sums = new long[3];
    for (int i = 0; i < count; i++) {
      int n = i % PACKED;
      int at = i * width;
      if (i < unpacked) {
        at = (i - n) * width + n % longs * Long.BYTES + Long.BYTES - width * (n / longs + 1);
      }
      long number = 0;
      for (int b = width - 1; b >= 0; b--) {
        number = (number << Byte.SIZE) | (numbers[at + b] & 0xFF);
      }
      sums[0] += i < index ? number : 0;
      sums[1] += i <= index ? number : 0;
      sums[2] += number;
    }
    return sums;
  }

  /**
   * Which blocks Lucene reads of the uncompressed bytes from {@code from} to {@code to}.
   *
   * @param total the uncompressed bytes of the chunk or of its first slice
   */
  private @Nullable Needed blocksOf(long from, long to, long total) throws IOException {
    long dictionary = in.readVInt();
    long block = in.readVInt();
    if (dictionary < 0 || block <= 0 || total - dictionary > MOST_BLOCKS * block) {
      return null;
    }
    long head = in.readVInt();
    long skipped = 0;
    long read = 0;
    for (long at = dictionary; at < total; at += block) {
      int compressed = in.readVInt();
      if (compressed < 0) {
        return null;
      }
      // A block that ends where the document begins is read, too.
      if (at + block < from) {
        skipped += compressed;
      } else if (at < to) {
        read += compressed;
      }
    }
    head += in.getFilePointer();
    long begin = head + skipped;
    // Of further slices all.
    long end = to > total ? in.length() : begin + read;
    return head >= 0 && begin <= end && end <= in.length() ? new Needed(head, begin, end) : null;
  }
}
