// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.file.PositionalFile.Resident;
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

/** Asks the system which pages of a file are in the page cache; asking loads none. */
final class PageResidency {

  /** An image of 8 KiB per GiB at most, and a device reads 16 KiB as fast as 4. */
  static final int UNIT_BYTES = 1 << 14;

  /** The smallest page: a kernel with larger ones tells the same of several of these. */
  private static final int PAGE_BYTES = 1 << 12;

  private PageResidency() {}

  /*
   * mincore tells all pages in one call; cachestat counts them, needs a call per unit where they
   * are scattered, and Linux 6.5. Without native access the JDK asks mincore page by page.
   */
  static Optional<Resident> of(Path path) throws IOException {
    Path file = Unwrappable.unwrapAll(path);
    if (!(Constants.LINUX || Constants.MAC_OS_X) || !Residency.canObserve(file)) {
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
        n = Math.min(PAGE_BYTES, all.byteSize() - pos);
        if (pages.isEmpty()
            ? all.asSlice(pos, n).isLoaded()
            : (pages.get()[(int) (pos / NativeCalls.pageBytes())] & 1) == 1) {
          units.set((int) (pos / UNIT_BYTES));
          bytes += n;
        }
      }
      ByteBuffer end = ByteBuffer.allocate(Long.BYTES);
      channel.read(end, Math.max(0, all.byteSize() - end.capacity()));
      return Optional.of(new Resident(UNIT_BYTES, all.byteSize(), end.getLong(0), bytes, units));
    }
  }
}
