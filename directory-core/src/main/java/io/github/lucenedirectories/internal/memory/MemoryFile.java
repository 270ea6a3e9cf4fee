// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.ReadSizes;
import io.github.lucenedirectories.internal.store.Residency;
import io.github.lucenedirectories.internal.store.SegmentIndexInput;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;
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
  private @Nullable FileContents content;
  private long length;
  private int users = 1;
  private boolean failed;

  MemoryFile(FileMemory memory) {
    this.memory = memory;
  }

  synchronized IndexOutput write(
      String name, IOContext context, SpillTarget overflow, ObjLongConsumer<String> listener) {
    writer = new MemoryIndexOutput(name, memory, context, overflow, this, listener);
    return writer;
  }

  /** Publishes the bytes; drops them if the file has no users left. */
  void complete(FileContents sealed) {
    synchronized (this) {
      writer = null;
      length = sealed.length();
      if (users > 0) {
        content = sealed;
        return;
      }
    }
    memory.release(sealed);
  }

  synchronized void fail() {
    writer = null;
    failed = true;
  }

  synchronized boolean isWritten() {
    return writer != null;
  }

  /** Whether a write failed, or went elsewhere: the file is never complete and not visible. */
  synchronized boolean failed() {
    return failed;
  }

  /** Length in bytes, also after the memory was released; 0 until the file is complete. */
  synchronized long length() {
    return length;
  }

  synchronized @Nullable FileContents content() {
    return content;
  }

  synchronized long memoryBytes() {
    return content == null ? 0 : content.memoryBytes();
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
    if (content == null) {
      throw new AccessDeniedException(name, null, "the file is still open for writing");
    }
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      users++;
      MemoryPositionalFile opened = new MemoryPositionalFile(name, content, this::closed);
      reads.add(opened);
      return new BlockIndexInput(
          "BlockIndexInput(file=" + name + ")", name, opened, ReadSizes.DEFAULT, null, context);
    }
    long chunkBytes = content.chunkBytes(memory.chunkBytes());
    MemorySegment[] chunks = content.chunks(chunkBytes);
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
      dropped = content;
      content = null;
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
      dropped = content;
      content = null;
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
