package io.github.lucenedirectories.core;

import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory: its bytes once it is complete, and how many need them.
 *
 * <p>The table that names the file counts as one user and every open input as one more; the memory
 * is released when the last goes. Safe for any thread.
 */
final class MemoryFile {

  private final OffHeapMemory memory;
  private @Nullable MemoryIndexOutput writer;
  private @Nullable SealedMemory content;
  private int users = 1;
  private boolean failed;

  MemoryFile(OffHeapMemory memory) {
    this.memory = memory;
  }

  /** An output that completes this file. */
  synchronized IndexOutput write(
      String name,
      IOContext context,
      Overflow overflow,
      MemoryFileTable.CompletionListener listener) {
    writer = new MemoryIndexOutput(name, memory, context, overflow, this, listener);
    return writer;
  }

  /** Publishes the bytes; drops them if nobody needs the file any more. */
  void complete(SealedMemory sealed) {
    synchronized (this) {
      writer = null;
      if (users > 0) {
        content = sealed;
        return;
      }
    }
    memory.release(sealed.arena());
  }

  /** Marks a file that will never be complete. */
  synchronized void fail() {
    writer = null;
    failed = true;
  }

  /** Whether the file will never be complete: nobody shall see it. */
  synchronized boolean failed() {
    return failed;
  }

  /** Length in bytes; 0 until the file is complete. */
  synchronized long length() {
    return content == null ? 0 : content.length();
  }

  /** Memory that the complete file takes, in bytes. */
  synchronized long memoryBytes() {
    return content == null ? 0 : content.arena().bytes();
  }

  /**
   * Opens an input, which is a user of the file until it is closed.
   *
   * @throws AccessDeniedException if the file is still being written
   * @throws NoSuchFileException if the file was deleted
   */
  synchronized IndexInput open(String name) throws AccessDeniedException, NoSuchFileException {
    if (users == 0) {
      throw new NoSuchFileException(name);
    }
    if (content == null) {
      throw new AccessDeniedException(name, null, "the file is still open for writing");
    }
    users++;
    return SegmentIndexInput.open(
        "SegmentIndexInput(file=" + name + ")",
        content.chunks(),
        memory.chunkBytes(),
        Residency.RESIDENT,
        this::release);
  }

  /** Ends one use. */
  void release() {
    drop(1);
  }

  /** Ends all use: reads from inputs and writes to the output fail from then on. */
  void revoke() {
    MemoryIndexOutput writing;
    synchronized (this) {
      writing = writer;
    }
    if (writing != null) {
      writing.revoke();
    }
    drop(Integer.MAX_VALUE);
  }

  private void drop(int uses) {
    SealedMemory dropped;
    synchronized (this) {
      users = Math.max(0, users - uses);
      if (users > 0) {
        return;
      }
      dropped = content;
      content = null;
    }
    if (dropped != null) {
      memory.release(dropped.arena());
    }
  }
}
