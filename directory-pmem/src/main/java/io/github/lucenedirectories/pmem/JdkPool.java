// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeCalls;
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
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A pool file that the Java runtime maps, writes and flushes. */
final class JdkPool implements PoolMemory {

  private static final VarHandle WORD =
      ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN).varHandle();

  private final Path file;
  private final Arena arena;
  private final MemorySegment bytes;
  private final boolean guards = NativeCalls.get().isPresent();

  private JdkPool(Path file, Arena arena, MemorySegment bytes) {
    this.file = file;
    this.arena = arena;
    this.bytes = bytes;
    LiveResource.MAPPED_BYTES.add(bytes.byteSize());
  }

  /**
   * Maps a file.
   *
   * @param mode how to map it
   * @throws IOException also if the file system refuses the mode
   */
  static JdkPool map(Path file, MapMode mode) throws IOException {
    Arena arena = Arena.ofShared();
    try {
      MemorySegment bytes =
          Uninterruptibles.call(
              () -> {
                try (FileChannel channel =
                    FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                  return channel.map(mode, 0, channel.size(), arena);
                }
              });
      return new JdkPool(file, arena, bytes);
    } catch (Throwable t) {
      arena.close();
      throw t;
    }
  }

  @Override
  public long size() {
    return bytes.byteSize();
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
    return Uninterruptibles.call(
        () -> {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(MapMode.READ_ONLY, offset, length, guard);
          }
        });
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
    if (length > 0) {
      try {
        bytes.asSlice(offset, length).force();
      } catch (UncheckedIOException e) {
        throw new IOException("cannot make a pool file durable: file=" + file, e.getCause());
      }
    }
  }

  @Override
  public void drain() {
    // The force in flush waits.
  }

  @Override
  public void populate(long offset, long length) {
    NativeCalls calls = NativeCalls.get().orElse(null);
    long end = offset + length;
    if (calls == null
        || !calls.advise(bytes.address() + offset, length, NativeCalls.Advice.POPULATE_WRITE)) {
      for (long at = offset; at < end; at += Layout.PAGE_BYTES) {
        bytes.set(ValueLayout.JAVA_BYTE, at, bytes.get(ValueLayout.JAVA_BYTE, at));
      }
    }
  }

  @Override
  public void close() {
    LiveResource.MAPPED_BYTES.add(-bytes.byteSize());
    arena.close();
  }
}
