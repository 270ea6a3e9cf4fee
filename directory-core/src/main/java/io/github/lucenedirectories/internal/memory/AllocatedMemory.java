// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.os.Reaper;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Memory that shared arenas allocate piece by piece. A file that was appended to is copied into one
 * piece when it is complete.
 */
final class AllocatedMemory extends OffHeapMemory {

  /** Keeps SIMD loads of a file's beginning within a cache line. */
  private static final long ALIGNMENT = 64;

  private static final long SMALLEST_PIECE = 1L << 16;
  private static final long LARGEST_PIECE = 1L << 26;

  AllocatedMemory(MemoryOptions options, Reaper reaper, MemoryBudget budget) throws IOException {
    super(options, reaper, budget);
    if (options.hugePages() == HugePages.REQUIRE) {
      throw new IOException(
          "huge pages were demanded, which need native calls and address space: " + reason());
    }
  }

  private static String reason() {
    return NativeCalls.get().isPresent() ? "no address space to reserve" : NativeCalls.whyAbsent();
  }

  @Override
  public FileContents allocate(String file, long length) throws IOException {
    take(file, () -> budget.take(length));
    CountedArena arena = new CountedArena(LiveResource.MEMORY_BYTES, () -> budget.give(length));
    try {
      PathCounter.ALLOCATED_MEMORY.increment();
      return new FileContents(arena.allocate(length, ALIGNMENT), arena);
    } catch (OutOfMemoryError e) {
      arena.close();
      throw MemoryLimitException.noMemory(file, length, this, e);
    }
  }

  @Override
  public MemorySink newSink(String file, IOContext context) {
    return new Sink(file);
  }

  @Override
  public String description() {
    return "allocated (" + reason() + ")";
  }

  /** A new file. */
  private final class Sink implements MemorySink {
    private final String file;
    private final List<FileContents> pieces = new ArrayList<>();

    /** The bytes of the last piece, and how many of them are used. */
    private MemorySegment last = MemorySegment.NULL;

    private long used;
    private long length;
    private boolean ended;

    Sink(String file) {
      this.file = file;
    }

    @Override
    public synchronized void append(byte[] bytes, int offset, int count) throws IOException {
      ensureOpen();
      int here = (int) Math.min(count, last.byteSize() - used);
      // Allocated first, so that nothing has been appended if there is no memory.
      int rest = count - here;
      FileContents next = rest > 0 ? allocate(file, nextBytes(rest)) : null;
      copy(bytes, offset, last, used, here);
      used += here;
      if (next != null) {
        pieces.add(next);
        last = next.writable();
        copy(bytes, offset + here, last, 0, rest);
        used = rest;
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
        write(part, output);
      }
    }

    @Override
    public synchronized FileContents seal() throws IOException {
      ensureOpen();
      boolean complete = pieces.size() == 1 && used == last.byteSize();
      FileContents whole = complete ? pieces.removeLast() : inOnePiece();
      discard();
      return whole;
    }

    private FileContents inOnePiece() throws IOException {
      FileContents whole = allocate(file, length);
      long at = 0;
      for (MemorySegment part : parts()) {
        MemorySegment.copy(part, 0, whole.writable(), at, part.byteSize());
        at += part.byteSize();
      }
      return whole;
    }

    private List<MemorySegment> parts() {
      List<MemorySegment> parts = new ArrayList<>();
      pieces.forEach(piece -> parts.addAll(piece.parts()));
      if (!parts.isEmpty()) {
        parts.set(parts.size() - 1, last.asSlice(0, used));
      }
      return parts;
    }

    @Override
    public synchronized void discard() {
      if (!ended) {
        ended = true;
        pieces.forEach(AllocatedMemory.this::release);
      }
    }

    private void ensureOpen() {
      if (ended) {
        throw new AlreadyClosedException("Already closed: file=" + file);
      }
    }
  }
}
