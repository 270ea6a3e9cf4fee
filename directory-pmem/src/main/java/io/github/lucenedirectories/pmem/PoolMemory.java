package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.CountedArena;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The memory of one pool file. Offsets are in bytes from its beginning.
 *
 * <p>What is written can be read at once, and is durable when the lines it lies in have been
 * flushed and a drain has returned since. Until then a loss of power leaves in each aligned word of
 * eight bytes any value that it held since it was last made durable. Safe for any thread; who
 * writes a range sees to it that nobody else does.
 */
interface PoolMemory extends Closeable {

  /** Length of the pool file in bytes. */
  long size();

  /** All bytes, for reading, valid until {@link #close}. */
  MemorySegment bytes();

  /** A range of the bytes, for reading, valid as long as the arena is open and the pool is. */
  MemorySegment view(CountedArena arena, long offset, long length) throws IOException;

  void write(long offset, byte[] from, int index, int length);

  /** Writes one word that nothing written before is seen after; the offset is a multiple of 8. */
  void writeWord(long offset, long value);

  /** Begins to make a range durable. */
  void flush(long offset, long length) throws IOException;

  /** Waits until what was flushed is durable. */
  void drain();

  /** Gives a range memory to write to, so that a later first write is not slow. Keeps its bytes. */
  void populate(long offset, long length);

  /** Ends the mapping; no view may be open. */
  @Override
  void close() throws IOException;
}
