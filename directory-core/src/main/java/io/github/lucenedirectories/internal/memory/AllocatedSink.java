package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexOutput;

/**
 * A {@link MemorySink} that allocates piece by piece and copies the complete file into memory of
 * its own, for platforms without native calls.
 */
final class AllocatedSink implements MemorySink {

  private static final long SMALLEST_PIECE = 1L << 16;
  private static final long LARGEST_PIECE = 1L << 26;

  private final OffHeapMemory memory;
  private final String file;
  private final List<NewMemory> pieces = new ArrayList<>();

  /** The last of {@link #pieces}. */
  private MemorySegment piece = MemorySegment.NULL;

  /** Bytes used of {@link #piece}. */
  private long used;

  private long length;
  private boolean ended;

  AllocatedSink(OffHeapMemory memory, String file) {
    this.memory = memory;
    this.file = file;
  }

  @Override
  public synchronized void append(byte[] bytes, int offset, int count) throws IOException {
    ensureOpen();
    int here = (int) Math.min(count, piece.byteSize() - used);
    // First, so that where there is no memory nothing has been appended.
    int rest = count - here;
    NewMemory next = rest > 0 ? nextPiece(rest) : null;
    OffHeapMemory.copy(bytes, offset, piece, used, here);
    used += here;
    if (next != null) {
      pieces.add(next);
      piece = next.bytes();
      OffHeapMemory.copy(bytes, offset + here, piece, 0, rest);
      used = rest;
    }
    length += count;
  }

  private NewMemory nextPiece(int least) throws IOException {
    return memory.allocate(
        file, Math.max(least, Math.clamp(length, SMALLEST_PIECE, LARGEST_PIECE)));
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
    NewMemory whole = memory.allocate(file, length);
    long at = 0;
    for (MemorySegment part : parts()) {
      MemorySegment.copy(part, 0, whole.bytes(), at, part.byteSize());
      at += part.byteSize();
    }
    FileContents sealed = whole.seal();
    discard();
    return sealed;
  }

  /** The bytes appended so far. */
  private List<MemorySegment> parts() {
    List<MemorySegment> parts = new ArrayList<>();
    for (NewMemory part : pieces) {
      parts.add(part.bytes());
    }
    if (!parts.isEmpty()) {
      parts.add(parts.removeLast().asSlice(0, used));
    }
    return parts;
  }

  @Override
  public synchronized void discard() {
    ended = true;
    pieces.forEach(NewMemory::discard);
  }

  private void ensureOpen() {
    if (ended) {
      throw new AlreadyClosedException("Already closed: file=" + file);
    }
  }
}
