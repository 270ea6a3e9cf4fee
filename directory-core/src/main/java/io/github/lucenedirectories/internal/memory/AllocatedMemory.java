package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A {@link NewMemory} that the foreign memory interface allocates, for platforms without native
 * calls.
 */
final class AllocatedMemory implements NewMemory {

  /** So that SIMD loads of a file's beginning do not cross a cache line. */
  private static final long ALIGNMENT = 64;

  private final OffHeapMemory memory;
  private final CountedArena arena;
  private final MemorySegment bytes;
  private boolean ended;

  private AllocatedMemory(OffHeapMemory memory, CountedArena arena, MemorySegment bytes) {
    this.memory = memory;
    this.arena = arena;
    this.bytes = bytes;
  }

  static AllocatedMemory allocate(OffHeapMemory memory, String file, long length)
      throws IOException {
    memory.take(file, length);
    CountedArena arena = new CountedArena(LiveResource.MEMORY_BYTES, () -> memory.give(length));
    try {
      PathCounter.ALLOCATED_MEMORY.increment();
      return new AllocatedMemory(memory, arena, arena.allocate(length, ALIGNMENT));
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new IOException("no memory for a file: file=" + file + ", bytes=" + length, e);
    }
  }

  @Override
  public MemorySegment bytes() {
    return bytes;
  }

  @Override
  public FileContents seal() {
    ended = true;
    return new FileContents(bytes, arena);
  }

  @Override
  public SharedMemory share() {
    ended = true;
    return new SharedMemory(bytes, arena);
  }

  @Override
  public void discard() {
    if (!ended) {
      ended = true;
      memory.release(arena);
    }
  }
}
