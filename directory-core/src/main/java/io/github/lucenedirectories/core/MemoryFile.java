package io.github.lucenedirectories.core;

import java.io.Closeable;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * A file in memory: its bytes once it is complete, and how many need them.
 *
 * <p>The table that names the file counts as one user and every open input as one more; the memory
 * is released when the last goes. Safe for any thread.
 */
final class MemoryFile {

  private final OffHeapMemory memory;
  private @Nullable SealedMemory content;
  private int users = 1;

  MemoryFile(OffHeapMemory memory) {
    this.memory = memory;
  }

  /** Publishes the bytes; drops them if nobody needs the file any more. */
  void complete(SealedMemory sealed) {
    synchronized (this) {
      if (users > 0) {
        content = sealed;
        return;
      }
    }
    memory.release(sealed);
  }

  /** Length in bytes; 0 until the file is complete. */
  synchronized long length() {
    return content == null ? 0 : content.length();
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
    AtomicBoolean released = new AtomicBoolean();
    Closeable owner =
        () -> {
          if (released.compareAndSet(false, true)) {
            release();
          }
        };
    return SegmentIndexInput.open(
        "SegmentIndexInput(file=" + name + ")",
        content.chunks(),
        memory.chunkBytes(),
        Residency.RESIDENT,
        owner);
  }

  /** Ends one use. */
  void release() {
    SealedMemory dropped;
    synchronized (this) {
      users--;
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

  /** Ends the table's use and takes the bytes from all inputs: their reads fail from then on. */
  void revoke() {
    SealedMemory dropped;
    synchronized (this) {
      users = 0;
      dropped = content;
      content = null;
    }
    if (dropped != null) {
      memory.release(dropped);
    }
  }
}
