// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.Parallel;
import io.github.lucenedirectories.internal.os.Uninterruptibles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/** A pool file that the Java runtime maps, writes and flushes, locked until {@link #close}. */
class JdkPool implements PoolMemory {

  /*
   * The system drops the lock of a file when the process closes any descriptor of that file, and an
   * interrupt closes a channel. So a pool file is opened once, and no thread that may be
   * interrupted uses the channel afterwards.
   */

  private static final VarHandle WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private final Path file;
  private final Arena arena = Arena.ofShared();
  private final FileChannel channel;
  private final MemorySegment bytes;

  /** Identifies the file, whatever its name; null if the file system has no such key. */
  private final @Nullable Object key;

  private final boolean guards = NativeCalls.get().isPresent();

  /**
   * Maps and locks a file.
   *
   * @param mode how to map it
   * @throws LockObtainFailedException if another process has locked it
   * @throws IOException also if the file system refuses the mode
   */
  JdkPool(Path file, MapMode mode) throws IOException {
    this.file = file;
    try {
      Opened opened = Uninterruptibles.call(() -> open(file, mode, arena));
      channel = opened.channel;
      bytes = opened.bytes;
      key = opened.key;
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
    LiveResource.MAPPED_BYTES.add(bytes.byteSize());
  }

  private record Opened(FileChannel channel, MemorySegment bytes, @Nullable Object key) {}

  private static Opened open(Path file, MapMode mode, Arena arena) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      lock(channel, file);
      return new Opened(channel, channel.map(mode, 0, channel.size(), arena), keyOf(file));
    } catch (Throwable t) {
      IOUtils.closeWhileHandlingException(channel);
      throw t;
    }
  }

  private static void lock(FileChannel channel, Path file) throws IOException {
    try {
      if (channel.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException _) {
      // Another class loader of this process has its own PmemDirectory.
    }
    throw new LockObtainFailedException("another directory uses the pool file: file=" + file);
  }

  private static @Nullable Object keyOf(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }

  @Override
  public void ensureInPlace() throws IOException {
    String found;
    try {
      if (Objects.equals(key, keyOf(file))) {
        return;
      }
      found = "replaced";
    } catch (NoSuchFileException _) {
      found = "removed";
    }
    throw new IOException(
        "a pool file in use was "
            + found
            + ": nothing can be made durable; before you close the directory, copy the index to"
            + " another one: file="
            + file);
  }

  @Override
  public MemorySegment bytes() {
    return bytes;
  }

  @Override
  public MemorySegment view(CountedArena guard, long offset, long length) throws IOException {
    if (guards) {
      return guard.guard(bytes.asSlice(offset, length));
    }
    AtomicReference<MemorySegment> view = new AtomicReference<>(MemorySegment.NULL);
    Parallel.forEach(
        List.of(channel),
        1,
        opened -> view.set(opened.map(MapMode.READ_ONLY, offset, length, guard)));
    return Objects.requireNonNull(view.get());
  }

  @Override
  public void write(long offset, byte[] from, int index, int length) {
    MemorySegment.copy(from, index, bytes, ValueLayout.JAVA_BYTE, offset, length);
  }

  @Override
  public void writeWord(long offset, long value) {
    WORD.setRelease(bytes, offset, value);
  }

  @Override
  public void flush(long offset, long length) throws IOException {
    try {
      bytes.asSlice(offset, length).force();
    } catch (UncheckedIOException e) {
      throw new IOException("cannot make a pool file durable: file=" + file, e.getCause());
    }
  }

  @Override
  public void close() throws IOException {
    LiveResource.MAPPED_BYTES.add(-bytes.byteSize());
    try (channel) {
      arena.close();
    }
  }
}
