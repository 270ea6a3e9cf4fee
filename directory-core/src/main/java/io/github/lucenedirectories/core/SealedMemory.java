package io.github.lucenedirectories.core;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a complete file.
 *
 * <p>It is read through {@link #view}, by whoever sees to it that no read outlives the memory, or
 * through {@link #chunks}, by anybody: an arena, made when they are first asked for, then guards
 * the memory, and its release waits until the arena is closed. The owner makes one call at a time.
 */
public final class SealedMemory {

  /** More than this is given back in the background: it may go to the system, which takes time. */
  private static final long LARGEST_RELEASED_AT_ONCE = 1L << 20;

  private final MemorySegment view;
  private final long memoryBytes;
  private final Runnable release;
  private final Function<CountedArena, MemorySegment> guard;
  private @Nullable CountedArena arena;
  private MemorySegment @Nullable [] chunks;

  /**
   * The memory of a file.
   *
   * @param view the file's bytes, valid until {@code release} runs
   * @param memoryBytes what they take in memory
   * @param release gives the memory back
   * @param guard makes the bytes valid for as long as an arena is open
   */
  SealedMemory(
      MemorySegment view,
      long memoryBytes,
      Runnable release,
      Function<CountedArena, MemorySegment> guard) {
    this.view = view.asReadOnly();
    this.memoryBytes = memoryBytes;
    this.release =
        () -> {
          LiveResource.MEMORY_BYTES.add(-memoryBytes);
          release.run();
        };
    this.guard = guard;
    LiveResource.MEMORY_BYTES.add(memoryBytes);
  }

  /** The memory of a file that an arena has allocated, and gives back when it is closed. */
  SealedMemory(MemorySegment bytes, CountedArena arena) {
    this.view = bytes.asReadOnly();
    this.memoryBytes = bytes.byteSize();
    this.release = () -> {};
    this.guard = _ -> bytes;
    this.arena = arena;
  }

  /** Length of the file in bytes. */
  long length() {
    return view.byteSize();
  }

  /** What the file takes in memory, in bytes. */
  long memoryBytes() {
    return memoryBytes;
  }

  /** The file's bytes, which must not be read once they are released. */
  MemorySegment view() {
    return view;
  }

  /** The file's bytes, cut as {@link Chunks#of} does; a read after their release throws. */
  MemorySegment[] chunks(long chunkBytes) {
    MemorySegment[] known = chunks;
    if (known == null) {
      CountedArena guarding = arena;
      if (guarding == null) {
        guarding = new CountedArena(LiveResource.MEMORY_BYTES, release);
        arena = guarding;
      }
      known = Chunks.of(guard.apply(guarding).asReadOnly(), chunkBytes);
      chunks = known;
    }
    return known;
  }

  /** Gives the memory back, in the background where somebody may still read it. */
  void release(Reaper reaper) {
    if (arena != null) {
      reaper.retire(arena);
    } else if (memoryBytes > LARGEST_RELEASED_AT_ONCE) {
      reaper.retire(new CountedArena(LiveResource.MEMORY_BYTES, release));
    } else {
      release.run();
    }
  }
}
