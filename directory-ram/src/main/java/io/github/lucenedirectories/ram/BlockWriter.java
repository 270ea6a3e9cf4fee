// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeTarget;
import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;

/** Writes blocks of a file so that they are durable. For one thread at a time. */
interface BlockWriter extends Closeable {

  /**
   * Writes blocks and waits until the device has them. Interrupts do not affect it.
   *
   * @param blocks whole blocks of {@link FileCalls#DIRECT_BYTES}, aligned to that, in native memory
   * @param offset in the file, a multiple of the same
   */
  void write(MemorySegment blocks, long offset) throws IOException;

  /**
   * Opens a writer that bypasses the page cache where the file system can, else one that syncs each
   * write.
   *
   * @param first the first block of the file, which is written again to find that out
   */
  static BlockWriter open(Path path, MemorySegment first) throws IOException {
    NativeTarget target = NativeTarget.of(path).orElse(null);
    if (target != null) {
      try {
        return new Direct(target, first);
      } catch (IOException _) {
        // The file system has no direct writes.
      }
    }
    return new Synced(path);
  }

  /** Passes writes to the device directly. */
  final class Direct implements BlockWriter {
    private final FileCalls calls;
    private final int descriptor;

    private Direct(NativeTarget target, MemorySegment first) throws IOException {
      calls = target.calls();
      descriptor = calls.openForDurableWrite(target.path());
      try {
        write(first, 0);
      } catch (Throwable t) {
        close();
        throw t;
      }
    }

    @Override
    public void write(MemorySegment blocks, long offset) throws IOException {
      calls.write(descriptor, blocks, offset);
    }

    @Override
    public void close() {
      calls.close(descriptor);
    }

    @Override
    public String toString() {
      return "direct";
    }
  }

  /** Writes through the page cache. */
  final class Synced implements BlockWriter {
    // Not a FileChannel, which an interrupt would close. In this mode each write is synced, without
    // the times of the file.
    private final RandomAccessFile file;

    private Synced(Path path) throws IOException {
      file = new RandomAccessFile(path.toFile(), "rwd");
    }

    @Override
    public void write(MemorySegment blocks, long offset) throws IOException {
      file.seek(offset);
      file.write(blocks.toArray(ValueLayout.JAVA_BYTE));
    }

    @Override
    public void close() throws IOException {
      file.close();
    }

    @Override
    public String toString() {
      return "synced";
    }
  }
}
