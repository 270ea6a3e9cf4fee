// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.store.Chunks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * A {@link PositionalFile} over a complete file in memory. Reads copy, under a lock, so that none
 * outlives {@link #close}, and the memory needs no arena.
 */
final class MemoryPositionalFile implements PositionalFile {

  private final String name;
  private final MemorySegment[] parts;
  private final long partBytes;
  private final int shift;
  private final Consumer<MemoryPositionalFile> whenClosed;
  private boolean closed;

  /**
   * Reads a file.
   *
   * @param whenClosed runs in the first {@link #close}, after the last read
   */
  MemoryPositionalFile(String name, FileContents bytes, Consumer<MemoryPositionalFile> whenClosed) {
    this.name = name;
    this.parts = bytes.parts().toArray(MemorySegment[]::new);
    this.partBytes = bytes.partBytes();
    this.shift = Chunks.shiftOf(parts, partBytes);
    this.whenClosed = whenClosed;
  }

  @Override
  public long length() {
    return Chunks.lengthOf(parts, partBytes);
  }

  @Override
  public synchronized void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  @Override
  public synchronized void read(long pos, byte[] target, int offset, int length)
      throws IOException {
    ensureOpen();
    MemorySegment bytes = MemorySegment.ofArray(target);
    long[] done = {offset};
    Chunks.forEachRange(
        parts,
        shift,
        pos,
        length,
        range -> {
          MemorySegment.copy(range, 0, bytes, done[0], range.byteSize());
          done[0] += range.byteSize();
        });
  }

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
    return "MemoryPositionalFile(file=" + name + ", length=" + length() + ")";
  }
}
