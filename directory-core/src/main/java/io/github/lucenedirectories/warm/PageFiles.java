// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.warm;

import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.WarmFiles;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.store.Residency;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Optional;
import org.apache.lucene.util.Constants;
import org.apache.lucene.util.Unwrappable;

/** The files of a folder in the page cache. */
record PageFiles(Path folder) implements WarmFiles {

  /** Four pages: an image of 8 KiB per GiB at most, and a device reads four as fast as one. */
  private static final int UNIT = 1 << 14;

  private static final int PAGE = 1 << 12;

  @Override
  public int unitBytes() {
    return UNIT;
  }

  @Override
  public long roomBytes(long residentBytes) {
    return AvailableMemory.pageCacheBytes() - residentBytes;
  }

  @Override
  public PositionalFile openToLoad(String name) throws IOException {
    return PositionalFile.open(folder.resolve(name));
  }

  /*
   * mincore tells all pages in one call; cachestat counts them, needs a call per unit where they
   * are scattered, and Linux 6.5. Without native access the JDK asks mincore page by page.
   */
  @Override
  public Optional<Resident> resident(String name) throws IOException {
    Path file = Unwrappable.unwrapAll(folder.resolve(name));
    if (!(Constants.LINUX || Constants.MAC_OS_X) || !Residency.isTold(file)) {
      return Optional.empty();
    }
    try (FileChannel channel = FileChannel.open(file);
        Arena arena = Arena.ofConfined()) {
      MemorySegment all = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      Optional<NativeCalls> calls = NativeCalls.get();
      BitSet units = new BitSet();
      long bytes = 0;
      Optional<byte[]> pages = calls.flatMap(native_ -> native_.residentPages(all));
      for (long pos = 0, n; pos < all.byteSize(); pos += n) {
        n = Math.min(PAGE, all.byteSize() - pos);
        if (pages.isEmpty()
            ? all.asSlice(pos, n).isLoaded()
            : (pages.get()[(int) (pos / calls.get().pageBytes())] & 1) == 1) {
          units.set((int) (pos / UNIT));
          bytes += n;
        }
      }
      ByteBuffer end = ByteBuffer.allocate(Long.BYTES);
      channel.read(end, Math.max(0, all.byteSize() - end.capacity()));
      return Optional.of(new Resident(all.byteSize(), end.getLong(0), bytes, units));
    }
  }
}
