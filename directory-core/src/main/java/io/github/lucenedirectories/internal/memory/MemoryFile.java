// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.store.Residency;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.ReadOnceHint;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory: its bytes once it is complete, and the number of its users.
 *
 * <p>The table that names the file is one user and every open input is another; the memory is
 * released with the last user. All methods may be called from any thread.
 */
final class MemoryFile {

  private final FileMemory memory;

  /** Open inputs that read by copying. */
  private final List<MemoryPositionalFile> reads = new ArrayList<>(0);

  private @Nullable MemoryIndexOutput writer;
  private @Nullable FileContents contents;
  private long length;
  private int users = 1;
  private boolean absent;

  MemoryFile(FileMemory memory) {
    this.memory = memory;
  }

  synchronized IndexOutput write(String name, IOContext context, TableOwner owner) {
    writer = new MemoryIndexOutput(name, context, memory, owner, this);
    return writer;
  }

  /** Publishes the bytes; drops them if the file has no users left. */
  void complete(FileContents sealed) {
    synchronized (this) {
      writer = null;
      length = sealed.length();
      if (users > 0) {
        contents = sealed;
        return;
      }
    }
    memory.release(sealed);
  }

  /** Called if the file will never be in memory: a write failed, or the file was spilled. */
  synchronized void setAbsent() {
    writer = null;
    absent = true;
  }

  synchronized boolean isWritten() {
    return writer != null;
  }

  /** Whether the file is not visible, because it will never be complete. */
  synchronized boolean isAbsent() {
    return absent;
  }

  /** Length in bytes, also after the memory was released; 0 until the file is complete. */
  synchronized long length() {
    return length;
  }

  synchronized @Nullable FileContents contents() {
    return contents;
  }

  synchronized long memoryBytes() {
    return contents == null ? 0 : contents.memoryBytes();
  }

  /**
   * Opens an input, which is a user of the file until it is closed.
   *
   * <p>An input that reads the file once copies: the memory then needs no arena, whose close would
   * stop all threads for a moment. Most files of a flush are read once, into a compound file, and
   * deleted.
   *
   * @throws AccessDeniedException if the file is still being written
   * @throws NoSuchFileException if the file was deleted
   */
  synchronized IndexInput open(String name, IOContext context) throws IOException {
    if (users == 0) {
      throw new NoSuchFileException(name);
    }
    if (contents == null) {
      throw new AccessDeniedException(name, null, "the file is still open for writing");
    }
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      users++;
      MemoryPositionalFile opened = new MemoryPositionalFile(name, contents, this::closed);
      reads.add(opened);
      return new BlockIndexInput("BlockIndexInput(file=" + name + ")", name, opened, null, context);
    }
    long chunkBytes = contents.chunkBytes(memory.chunkBytes());
    MemorySegment[] chunks = contents.chunks(chunkBytes);
    users++;
    return SegmentIndexInput.open(
        "SegmentIndexInput(file=" + name + ")",
        chunks,
        chunkBytes,
        Residency.RESIDENT,
        this::release);
  }

  private void closed(MemoryPositionalFile closed) {
    synchronized (this) {
      reads.remove(closed);
    }
    release();
  }

  void release() {
    FileContents dropped;
    synchronized (this) {
      users = Math.max(0, users - 1);
      if (users > 0) {
        return;
      }
      dropped = contents;
      contents = null;
    }
    if (dropped != null) {
      memory.release(dropped);
    }
  }

  /** Ends all use: reads from inputs and writes to the output fail from then on. */
  void revoke() {
    MemoryIndexOutput writing;
    List<MemoryPositionalFile> reading;
    FileContents dropped;
    synchronized (this) {
      users = 0;
      writing = writer;
      reading = List.copyOf(reads);
      dropped = contents;
      contents = null;
    }
    if (writing != null) {
      writing.revoke();
    }
    reading.forEach(MemoryPositionalFile::end);
    if (dropped != null) {
      memory.release(dropped);
    }
  }
}
