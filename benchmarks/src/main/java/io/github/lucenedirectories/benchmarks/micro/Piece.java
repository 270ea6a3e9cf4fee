package io.github.lucenedirectories.benchmarks.micro;

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

  byte[] bytes = {};

  /** Allocates the array. */
  @Setup
  public void allocate() {
    bytes = new byte[size];
  }
}
