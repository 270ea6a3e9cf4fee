package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.RandomAccessInput;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** An array of the size that one call of {@code readBytes} fills. */
@State(Scope.Thread)
public class Piece {
  /** Bytes in a call, at most {@link InputFile#MAX_READ_BYTES}. */
  @Param({"16", "256", "4096", "65536"})
  public int size;

  private byte[] bytes = {};

  /** Allocates the array. */
  @Setup
  public void allocate() {
    if (size < 1 || size > InputFile.MAX_READ_BYTES) {
      throw new IllegalArgumentException("size must be from 1 to 65536: " + size);
    }
    bytes = new byte[size];
  }

  long read(IndexInput in) throws IOException {
    in.readBytes(bytes, 0, size);
    return bytes[size - 1];
  }

  long readAt(RandomAccessInput in, long position) throws IOException {
    in.readBytes(position, bytes, 0, size);
    return bytes[size - 1];
  }
}
