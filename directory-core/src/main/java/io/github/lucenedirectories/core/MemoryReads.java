package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * A {@link PositionalFile} over a complete file in memory. Reads copy, under a lock, so that none
 * outlives {@link #close}, and the memory needs no arena.
 */
final class MemoryReads implements PositionalFile {

  private final String name;
  private final MemorySegment bytes;
  private final Consumer<MemoryReads> whenClosed;
  private boolean closed;

  /**
   * Reads of a file.
   *
   * @param whenClosed runs in the first {@link #close}, after the last read
   */
  MemoryReads(String name, MemorySegment bytes, Consumer<MemoryReads> whenClosed) {
    this.name = name;
    this.bytes = bytes;
    this.whenClosed = whenClosed;
  }

  @Override
  public long length() {
    return bytes.byteSize();
  }

  @Override
  public synchronized void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  @Override
  public synchronized void read(long pos, byte[] target, int offset, int length) {
    ensureOpen();
    MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, pos, target, offset, length);
  }

  @Override
  public synchronized void read(long pos, MemorySegment target) throws IOException {
    ensureOpen();
    MemorySegment.copy(bytes, pos, target, 0, target.byteSize());
  }

  /** Ends all reads; returns whether they had not ended yet. */
  synchronized boolean end() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  @Override
  public void close() {
    if (end()) {
      whenClosed.accept(this);
    }
  }

  @Override
  public String toString() {
    return "MemoryReads(file=" + name + ", length=" + length() + ")";
  }
}
