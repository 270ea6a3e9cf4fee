package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.function.Supplier;
import org.apache.lucene.store.IndexInput;

/** What one read takes from a file. A JVM measures one of them, so the compiler inlines it. */
public enum Value {
  BYTE(Byte.BYTES, Block::randomBytes, (in, _) -> in.readByte()),
  /** An integer in variable length. */
  VINT(Block.MAX_VINT_BYTES, Block::vInts, (in, _) -> in.readVInt()),
  /** At any byte. */
  LONG(Long.BYTES, Block::randomBytes, (in, _) -> in.readLong()),
  /** Arrays of 128, as many as in a block of Lucene's postings. */
  LONGS(Cursor.VALUES * Long.BYTES, Block::randomBytes, (in, cursor) -> cursor.readLongs(in)),
  INTS(Cursor.VALUES * Integer.BYTES, Block::randomBytes, (in, cursor) -> cursor.readInts(in)),
  FLOATS(Cursor.VALUES * Float.BYTES, Block::randomBytes, (in, cursor) -> cursor.readFloats(in)),
  /** 128 integers in groups of four. */
  GROUP_VINTS(Block.MAX_GROUPS_BYTES, Block::groupVInts, (in, cursor) -> cursor.readGroupVInt(in)),
  BYTES_16(1 << 4),
  BYTES_256(1 << 8),
  BYTES_4K(1 << 12),
  BYTES_64K(1 << 16);

  /** The most bytes that one read takes, at most {@link InputFile#MAX_READ_BYTES}. */
  final int maxBytes;

  /** What a file repeats. */
  final Supplier<Block> contents;

  final Read read;

  Value(int maxBytes, Supplier<Block> contents, Read read) {
    this.maxBytes = maxBytes;
    this.contents = contents;
    this.read = read;
  }

  Value(int bytes) {
    this(bytes, Block::randomBytes, (in, cursor) -> cursor.readBytes(in, bytes));
  }

  /** One operation. */
  @FunctionalInterface
  interface Read {
    /** Returns what it read, or some of it. */
    long from(IndexInput in, Cursor cursor) throws IOException;
  }
}
