// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.CountedArena;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The memory of one pool file. Offsets are in bytes from its beginning.
 *
 * <p>Written bytes can be read at once. They are durable when a later flush of them has returned.
 * Until then, a loss of power leaves in each aligned word of eight bytes any value that it held
 * since it was last made durable. Any thread may call any method; callers ensure that only one
 * thread at a time writes a range.
 */
interface PoolMemory extends Closeable {

  /** Length of the pool file in bytes. */
  default long size() {
    return bytes().byteSize();
  }

  /** All bytes, for reading, valid until {@link #close}. */
  MemorySegment bytes();

  /** A range of the bytes, for reading, valid while the arena and the pool are open. */
  MemorySegment view(CountedArena arena, long offset, long length) throws IOException;

  void write(long offset, byte[] from, int index, int length);

  /** Writes one word, visible after all earlier writes; the offset is a multiple of 8. */
  void writeWord(long offset, long value);

  /**
   * Checks that the file is still the one that its name leads to.
   *
   * @throws IOException if it was removed or replaced: a directory that is opened later would not
   *     find what is written to it
   */
  void ensureInPlace() throws IOException;

  /** Makes a range of at least one byte durable. */
  void flush(long offset, long length) throws IOException;

  /** Unmaps the file; no view may be open. */
  @Override
  void close() throws IOException;
}
