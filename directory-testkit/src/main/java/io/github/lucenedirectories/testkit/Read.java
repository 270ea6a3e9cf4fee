// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;

/** The ways to read values of a fixed size, each as the bytes that it must find in the file. */
public enum Read {
  BYTE(Byte.BYTES, false),
  SHORT(Short.BYTES, false),
  INT(Integer.BYTES, false),
  LONG(Long.BYTES, false),
  BYTES(Byte.BYTES, true),
  UNBUFFERED(Byte.BYTES, true),
  INTS(Integer.BYTES, true),
  FLOATS(Float.BYTES, true),
  LONGS(Long.BYTES, true);

  /** Where in a longer array a bulk read puts its values. */
  private static final int AT = 3;

  private final int size;
  private final boolean bulk;

  Read(int size, boolean bulk) {
    this.size = size;
    this.bulk = bulk;
  }

  /** The bytes of one value. */
  public int size() {
    return size;
  }

  /** Whether one call reads any number of values. */
  public boolean isBulk() {
    return bulk;
  }

  /** Whether a {@link RandomAccessInput} can read so. */
  public boolean isPositional() {
    return !bulk || this == BYTES;
  }

  /** Reads the next values; fails if that changes more of an array than it is meant to. */
  public byte[] next(IndexInput in, int count) throws IOException {
    byte[] bytes = new byte[(AT + count + 1) * size];
    ByteBuffer read = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count && !bulk; i++) {
      switch (this) {
        case BYTE -> read.put(AT + i, in.readByte());
        case SHORT -> read.putShort((AT + i) * size, in.readShort());
        case INT -> read.putInt((AT + i) * size, in.readInt());
        default -> read.putLong((AT + i) * size, in.readLong());
      }
    }
    switch (this) {
      case BYTES -> in.readBytes(bytes, AT, count);
      case UNBUFFERED -> in.readBytes(bytes, AT, count, false);
      case INTS -> {
        int[] ints = new int[AT + count + 1];
        in.readInts(ints, AT, count);
        read.asIntBuffer().put(ints);
      }
      case FLOATS -> {
        float[] floats = new float[AT + count + 1];
        in.readFloats(floats, AT, count);
        read.asFloatBuffer().put(floats);
      }
      case LONGS -> {
        long[] longs = new long[AT + count + 1];
        in.readLongs(longs, AT, count);
        read.asLongBuffer().put(longs);
      }
      default -> {}
    }
    return values(bytes, count);
  }

  /** Reads values at a position. */
  public byte[] at(RandomAccessInput in, long pos, int count) throws IOException {
    byte[] bytes = new byte[(AT + count + 1) * size];
    ByteBuffer read = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (this == BYTES) {
      in.readBytes(pos, bytes, AT, count);
    }
    for (int i = 0; i < count && !bulk; i++) {
      long at = pos + (long) i * size;
      switch (this) {
        case BYTE -> read.put(AT + i, in.readByte(at));
        case SHORT -> read.putShort((AT + i) * size, in.readShort(at));
        case INT -> read.putInt((AT + i) * size, in.readInt(at));
        default -> read.putLong((AT + i) * size, in.readLong(at));
      }
    }
    return values(bytes, count);
  }

  private byte[] values(byte[] read, int count) {
    int begin = AT * size;
    int end = begin + count * size;
    for (int i = 0; i < read.length; i = i == begin - 1 ? end : i + 1) {
      if (read[i] != 0) {
        throw new AssertionError("changed in front of the values or behind them: " + this);
      }
    }
    return Arrays.copyOfRange(read, begin, end);
  }
}
