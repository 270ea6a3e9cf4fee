package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * A {@link MemorySink} that allocates piece by piece and copies the complete file into memory of
 * its own, for platforms without native calls.
 */
final class AllocatedSink implements MemorySink {

  private static final long SMALLEST_PIECE = 1L << 16;
  private static final long LARGEST_PIECE = 1L << 26;

  /** So that SIMD loads of a file's beginning do not cross a cache line. */
  private static final long ALIGNMENT = 64;

  private final long chunkBytes;
  private final Reaper reaper;
  private final CountedArena scratch = OffHeapMemory.newArena();
  private final List<MemorySegment> pieces = new ArrayList<>();

  /** Bytes used of the last piece. */
  private long used;

  private long length;
  private boolean ended;

  AllocatedSink(long chunkBytes, Reaper reaper) {
    this.chunkBytes = chunkBytes;
    this.reaper = reaper;
    PathCounter.ALLOCATED_MEMORY.increment();
  }

  @Override
  public synchronized void append(byte[] bytes, int offset, int count) throws IOException {
    ensureOpen();
    for (int done = 0; done < count; ) {
      if (pieces.isEmpty() || used == pieces.getLast().byteSize()) {
        long size = Math.clamp(length, SMALLEST_PIECE, LARGEST_PIECE);
        pieces.add(allocate(scratch, size));
        used = 0;
      }
      MemorySegment piece = pieces.getLast();
      int n = (int) Math.min(count - done, piece.byteSize() - used);
      OffHeapMemory.copy(bytes, offset + done, piece, used, n);
      used += n;
      length += n;
      done += n;
    }
  }

  @Override
  public synchronized SealedMemory seal() throws IOException {
    ensureOpen();
    MemorySegment[] parts = pieces.toArray(MemorySegment[]::new);
    if (parts.length > 0) {
      parts[parts.length - 1] = parts[parts.length - 1].asSlice(0, used);
    }
    SealedMemory sealed = sealedCopy(parts, length, chunkBytes);
    discard();
    return sealed;
  }

  @Override
  public synchronized void discard() {
    if (!ended) {
      ended = true;
      reaper.retire(scratch);
    }
  }

  private void ensureOpen() {
    if (ended) {
      throw new AlreadyClosedException("Already closed");
    }
  }

  /** Copies the parts, of {@code length} bytes together, into new memory. */
  static SealedMemory sealedCopy(MemorySegment[] parts, long length, long chunkBytes)
      throws IOException {
    CountedArena arena = OffHeapMemory.newArena();
    try {
      MemorySegment all = allocate(arena, length);
      long at = 0;
      for (MemorySegment part : parts) {
        MemorySegment.copy(part, 0, all, at, part.byteSize());
        at += part.byteSize();
      }
      return new SealedMemory(
          SegmentIndexInput.chunksOf(all.asReadOnly(), chunkBytes), length, arena);
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
  }

  private static MemorySegment allocate(CountedArena arena, long bytes) throws IOException {
    try {
      return arena.allocate(bytes, ALIGNMENT);
    } catch (OutOfMemoryError e) {
      throw new IOException("no memory for a file: bytes=" + bytes, e);
    }
  }
}
