package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.CountedArena;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A pool that does what another one does. */
class ForwardingPool implements PoolMemory {
  final PoolMemory pool;

  ForwardingPool(PoolMemory pool) {
    this.pool = pool;
  }

  @Override
  public void write(long offset, byte[] from, int index, int length) {
    pool.write(offset, from, index, length);
  }

  @Override
  public void writeWord(long offset, long value) {
    pool.writeWord(offset, value);
  }

  @Override
  public long size() {
    return pool.size();
  }

  @Override
  public MemorySegment bytes() {
    return pool.bytes();
  }

  @Override
  public MemorySegment view(CountedArena arena, long offset, long length) throws IOException {
    return pool.view(arena, offset, length);
  }

  @Override
  public void flush(long offset, long length) throws IOException {
    pool.flush(offset, length);
  }

  @Override
  public void drain() {
    pool.drain();
  }

  @Override
  public void populate(long offset, long length) {
    pool.populate(offset, length);
  }

  @Override
  public void close() throws IOException {
    pool.close();
  }
}
