// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.memory.FileContents;
import io.github.lucenedirectories.internal.memory.MemoryFileTable;
import io.github.lucenedirectories.internal.memory.OffHeapMemory;
import io.github.lucenedirectories.internal.store.Chunks;
import io.github.lucenedirectories.internal.store.Residency;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.zip.CRC32;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * A file that is loaded into memory in pieces, by any threads. Its checksum is verified before the
 * file becomes visible.
 */
final class LoadingFile {

  private static final long PIECE_BYTES = 1L << 24;
  private static final int BUFFER_BYTES = 1 << 16;

  /** Length of the checksum at the end of the footer; the checksum does not cover itself. */
  private static final int CHECKSUM_BYTES = Long.BYTES;

  private static final ValueLayout.OfInt BIG_ENDIAN_INT =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

  private final Directory directory;
  private final String name;
  private final long length;
  private final int pieces;

  /* The following is guarded by this. */

  private final BitSet loaded = new BitSet();

  /** The checksum of the pieces before {@link #nextToSum}. */
  private final CRC32 checksum = new CRC32();

  private int nextToSum;
  private @Nullable FileContents contents;

  record Piece(LoadingFile file, int index) {
    void load(OffHeapMemory memory, MemoryFileTable files) throws IOException {
      file.load(index, memory, files);
    }

    long bytes() {
      return file.pieceBytes(index);
    }
  }

  LoadingFile(Directory directory, String name, long length) {
    this.directory = directory;
    this.name = name;
    this.length = length;
    this.pieces = Math.toIntExact(Math.max(1, (length + PIECE_BYTES - 1) / PIECE_BYTES));
  }

  long length() {
    return length;
  }

  List<Piece> pieces() {
    List<Piece> all = new ArrayList<>();
    for (int i = 0; i < pieces; i++) {
      all.add(new Piece(this, i));
    }
    return all;
  }

  private long pieceBytes(int index) {
    return Math.min(PIECE_BYTES, length - index * PIECE_BYTES);
  }

  private void load(int index, OffHeapMemory memory, MemoryFileTable files) throws IOException {
    if (length < CodecUtil.footerLength()) {
      throw corrupt("the file is too short: length=" + length);
    }
    MemorySegment target = open(memory);
    long pos = index * PIECE_BYTES;
    read(pos, target.asSlice(pos, pieceBytes(index)));
    if (isLastSummed(index, target)) {
      verify(target);
      files.add(name, complete());
    }
  }

  private synchronized MemorySegment open(OffHeapMemory memory) throws IOException {
    if (contents == null) {
      contents = memory.allocate(name, length);
    }
    return contents.writable();
  }

  /** Passes the memory on to the file table. */
  private synchronized FileContents complete() {
    FileContents complete = Objects.requireNonNull(contents);
    contents = null;
    return complete;
  }

  private void read(long pos, MemorySegment target) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (IndexInput input = directory.openInput(name, IOContext.READONCE)) {
      input.seek(pos);
      for (long done = 0; done < target.byteSize(); ) {
        int n = (int) Math.min(buffer.length, target.byteSize() - done);
        input.readBytes(buffer, 0, n);
        MemorySegment.copy(buffer, 0, target, ValueLayout.JAVA_BYTE, done, n);
        done += n;
      }
    }
  }

  /** Adds to the checksum what is loaded without a gap; returns whether that is all pieces. */
  private synchronized boolean isLastSummed(int index, MemorySegment bytes) {
    loaded.set(index);
    for (; loaded.get(nextToSum); nextToSum++) {
      long pos = nextToSum * PIECE_BYTES;
      long covered = Math.min(PIECE_BYTES, length - CHECKSUM_BYTES - pos);
      if (covered > 0) {
        checksum.update(bytes.asSlice(pos, covered).asByteBuffer());
      }
    }
    return nextToSum == pieces;
  }

  /**
   * Compares the checksum with the one in the footer. A file that has neither the header nor the
   * footer of Lucene's binary formats is not verified: another codec wrote it.
   */
  private synchronized void verify(MemorySegment bytes) throws IOException {
    long footer = length - CodecUtil.footerLength();
    if (bytes.get(BIG_ENDIAN_INT, 0) != CodecUtil.CODEC_MAGIC
        && bytes.get(BIG_ENDIAN_INT, footer) != CodecUtil.FOOTER_MAGIC) {
      return;
    }
    try (IndexInput input =
        SegmentIndexInput.open(
            description(),
            new MemorySegment[] {bytes},
            Chunks.LARGEST_BYTES,
            Residency.RESIDENT,
            () -> {})) {
      long expected = CodecUtil.retrieveChecksum(input);
      if (expected != checksum.getValue()) {
        throw corrupt(
            "checksum failed (hardware problem?): expected="
                + Long.toHexString(expected)
                + ", actual="
                + Long.toHexString(checksum.getValue()));
      }
    }
  }

  private CorruptIndexException corrupt(String problem) {
    return new CorruptIndexException(problem, description());
  }

  private String description() {
    return "file=" + name + ", directory=" + directory;
  }

  /** Frees what an incomplete load holds. No piece may still be loading. */
  synchronized void abandon(OffHeapMemory memory) {
    if (contents != null) {
      memory.release(contents);
      contents = null;
    }
  }
}
