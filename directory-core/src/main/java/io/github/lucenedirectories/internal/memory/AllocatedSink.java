// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.PathCounter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexOutput;

/**
 * Memory that the foreign memory interface allocates piece by piece, for platforms without native
 * calls. A file that was appended to is copied into one piece at the end.
 */
final class AllocatedSink implements NewMemory {

  /** Keeps SIMD loads of a file's beginning within a cache line. */
  private static final long ALIGNMENT = 64;

  private static final long SMALLEST_PIECE = 1L << 16;
  private static final long LARGEST_PIECE = 1L << 26;

  private final OffHeapMemory memory;
  private final String file;
  private final List<Piece> pieces = new ArrayList<>();

  private MemorySegment piece = MemorySegment.NULL;
  private long used;
  private long length;
  private boolean ended;

  private record Piece(MemorySegment bytes, CountedArena arena) {}

  AllocatedSink(OffHeapMemory memory, String file) {
    this.memory = memory;
    this.file = file;
  }

  AllocatedSink(OffHeapMemory memory, String file, long length) throws IOException {
    this(memory, file);
    add(allocate(length), length);
    this.length = length;
  }

  private Piece allocate(long bytes) throws IOException {
    memory.take(file, bytes);
    CountedArena arena = new CountedArena(LiveResource.MEMORY_BYTES, () -> memory.give(bytes));
    try {
      PathCounter.ALLOCATED_MEMORY.increment();
      return new Piece(arena.allocate(bytes, ALIGNMENT), arena);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw new IOException("no memory for a file: file=" + file + ", bytes=" + bytes, e);
    }
  }

  private void add(Piece next, long nextUsed) {
    pieces.add(next);
    piece = next.bytes;
    used = nextUsed;
  }

  @Override
  public synchronized MemorySegment bytes() {
    ensureOpen();
    return piece;
  }

  @Override
  public synchronized void append(byte[] bytes, int offset, int count) throws IOException {
    ensureOpen();
    int here = (int) Math.min(count, piece.byteSize() - used);
    // Allocated first, so that nothing has been appended if there is no memory.
    int rest = count - here;
    Piece next = rest > 0 ? allocate(nextBytes(rest)) : null;
    OffHeapMemory.copy(bytes, offset, piece, used, here);
    used += here;
    if (next != null) {
      OffHeapMemory.copy(bytes, offset + here, next.bytes, 0, rest);
      add(next, rest);
    }
    length += count;
  }

  private long nextBytes(int least) {
    return Math.max(least, Math.clamp(length, SMALLEST_PIECE, LARGEST_PIECE));
  }

  @Override
  public synchronized void writeTo(IndexOutput output) throws IOException {
    ensureOpen();
    for (MemorySegment part : parts()) {
      OffHeapMemory.write(part, output);
    }
  }

  @Override
  public synchronized FileContents seal() throws IOException {
    ensureOpen();
    boolean complete = pieces.size() == 1 && piece.byteSize() == length;
    Piece whole = complete ? pieces.removeLast() : copy();
    discard();
    return new FileContents(whole.bytes, whole.arena);
  }

  private Piece copy() throws IOException {
    Piece whole = allocate(length);
    long at = 0;
    for (MemorySegment part : parts()) {
      MemorySegment.copy(part, 0, whole.bytes, at, part.byteSize());
      at += part.byteSize();
    }
    return whole;
  }

  private List<MemorySegment> parts() {
    List<MemorySegment> parts = new ArrayList<>();
    for (Piece part : pieces) {
      parts.add(part == pieces.getLast() ? piece.asSlice(0, used) : part.bytes);
    }
    return parts;
  }

  @Override
  public synchronized void discard() {
    if (!ended) {
      ended = true;
      pieces.forEach(part -> memory.release(part.arena));
    }
  }

  private void ensureOpen() {
    if (ended) {
      throw new AlreadyClosedException("Already closed: file=" + file);
    }
  }
}
