package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Memory outside the Java heap for files.
 *
 * <p>On 64-bit Linux a file that grows gets address space ahead of its bytes, so that it is
 * contiguous without being copied; physical memory is taken as bytes arrive, by huge pages from the
 * first {@value ReservedSink#HUGE_PAGE_BYTES} bytes on where the system gives them. Elsewhere, and
 * where native calls or the reservation are refused, memory is allocated piece by piece and copied
 * when the file is complete. All methods may be called from any thread.
 */
public final class OffHeapMemory {

  /** The longest chunk, 64 GiB: a longer file is not contiguous. */
  public static final long LARGEST_CHUNK_BYTES = 1L << 36;

  private final @Nullable NativeCalls calls;
  private final long chunkBytes;
  private final Reaper reaper;

  /**
   * Memory whose released arenas the given reaper closes.
   *
   * @param chunkBytes power of two up to {@link #LARGEST_CHUNK_BYTES}: a longer file lies in chunks
   *     of this length
   */
  public OffHeapMemory(long chunkBytes, Reaper reaper) {
    if (chunkBytes < 1 || chunkBytes > LARGEST_CHUNK_BYTES || Long.bitCount(chunkBytes) != 1) {
      throw new IllegalArgumentException(
          "chunkBytes must be a power of two up to "
              + LARGEST_CHUNK_BYTES
              + ": chunkBytes="
              + chunkBytes);
    }
    this.calls = NativeCalls.get().orElse(null);
    this.chunkBytes = chunkBytes;
    this.reaper = reaper;
  }

  /** A file longer than this lies in several chunks. */
  long chunkBytes() {
    return chunkBytes;
  }

  /** A sink for a new file. */
  MemorySink newSink() {
    if (calls != null) {
      Optional<MemorySink> reserved = ReservedSink.open(calls, chunkBytes, reaper);
      if (reserved.isPresent()) {
        return reserved.get();
      }
    }
    return new AllocatedSink(chunkBytes, reaper);
  }

  /** The memory of a small file, exactly as long as its bytes. */
  SealedMemory copyOf(byte[] bytes, int length) throws IOException {
    MemorySegment source = MemorySegment.ofArray(bytes).asSlice(0, length);
    return AllocatedSink.sealedCopy(new MemorySegment[] {source}, length, chunkBytes);
  }

  /** Gives memory back, in the background. No reader may be added after this. */
  void release(SealedMemory memory) {
    reaper.retire(memory.arena());
  }

  /** How memory is obtained, for a directory's {@code toString}. */
  public String description() {
    return calls != null ? "reserved address space" : "allocated; " + NativeCalls.whyAbsent();
  }

  /** Copies bytes from the heap. */
  static void copy(byte[] from, int offset, MemorySegment to, long toOffset, int length) {
    MemorySegment.copy(from, offset, to, ValueLayout.JAVA_BYTE, toOffset, length);
  }

  /** A new arena for a file in memory. */
  static CountedArena newArena() {
    return new CountedArena(LiveResource.MEMORY_BYTES);
  }
}
