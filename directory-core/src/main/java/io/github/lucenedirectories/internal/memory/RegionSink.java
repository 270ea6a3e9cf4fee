// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import static io.github.lucenedirectories.internal.os.TransparentHugePages.HUGE_PAGE_BYTES;

import io.github.lucenedirectories.internal.store.Chunks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IndexOutput;

/** Memory of a new file in an extent of a {@link MemoryRegion}. */
final class RegionSink implements NewMemory {

  /*
   * A file begins in a small extent, which grows fourfold; the file is copied if the addresses
   * behind it are taken. From 4 MiB on it reserves as many addresses as Lucene estimates, so that a
   * large merge is not copied.
   *
   * Files of flushes and small merges are short-lived. They do not use huge pages, since the last
   * one would be split for each file, and the system would have to zero a new one.
   *
   * Methods are synchronized because a write into an extent that another thread released could
   * change another file, which even an output used wrongly must not do.
   */

  private static final long FIRST_BYTES = 1L << 16;
  private static final int SMALL_GROWTH = 4;
  private static final int LARGE_GROWTH = 2;

  /** An extent that reserves more than this lies in the area of huge pages. */
  private static final long LARGEST_SMALL_BYTES = 1L << 22;

  /** Addresses of a large file of unknown length. */
  private static final long UNKNOWN_BYTES = 1L << 30;

  private final OffHeapMemory memory;
  private final MemoryRegion region;
  private final String file;
  private final long estimate;
  private Extent extent;
  private MemorySegment bytes;
  private long used;
  private boolean ended;

  private RegionSink(
      OffHeapMemory memory, MemoryRegion region, String file, long estimate, Extent extent) {
    this.memory = memory;
    this.region = region;
    this.file = file;
    this.estimate = estimate;
    this.extent = extent;
    this.bytes = extent.bytes(extent.reserved);
  }

  /**
   * A sink for a file.
   *
   * @param estimate its length according to {@link MemorySink#estimate}
   */
  static MemorySink open(OffHeapMemory memory, MemoryRegion region, String file, long estimate)
      throws IOException {
    return new RegionSink(
        memory, region, file, estimate, memory.reserve(region, file, FIRST_BYTES, false));
  }

  static NewMemory allocate(OffHeapMemory memory, MemoryRegion region, String file, long length)
      throws IOException {
    // A file that would fill less than half a huge page does not get one.
    boolean large = length > HUGE_PAGE_BYTES / 2;
    Extent extent = memory.reserve(region, file, length, large);
    RegionSink sink = new RegionSink(memory, region, file, length, extent);
    try {
      memory.commit(region, extent, file, length);
    } catch (Throwable t) {
      sink.discard();
      throw t;
    }
    sink.used = length;
    return sink;
  }

  @Override
  public synchronized MemorySegment bytes() {
    ensureOpen();
    return bytes.asSlice(0, used);
  }

  @Override
  public synchronized void append(byte[] from, int offset, int length) throws IOException {
    ensureOpen();
    long needed = used + length;
    if (needed > extent.committed) {
      if (needed > extent.reserved) {
        makeRoom(needed);
      }
      memory.commit(region, extent, file, needed);
    }
    OffHeapMemory.copy(from, offset, bytes, used, length);
    used = needed;
  }

  private void makeRoom(long needed) throws IOException {
    long wanted = Math.max(needed, wantedBytes());
    boolean moves = extent.large != isLarge(wanted);
    if (moves || !region.extend(extent, wanted)) {
      move(needed, wanted);
    }
    bytes = extent.bytes(extent.reserved);
  }

  private long wantedBytes() {
    long grown = extent.reserved * (extent.large ? LARGE_GROWTH : SMALL_GROWTH);
    if (!isLarge(grown)) {
      return grown;
    }
    long all = Math.max(grown, estimate == MemorySink.UNKNOWN ? UNKNOWN_BYTES : estimate);
    // No file is longer than the limit.
    return Math.min(all, memory.maxBytes());
  }

  private static boolean isLarge(long bytes) {
    return bytes > LARGEST_SMALL_BYTES;
  }

  private void move(long needed, long wanted) throws IOException {
    Extent to = region.reserve(wanted, isLarge(wanted));
    if (to == null) {
      to = memory.reserve(region, file, needed, isLarge(needed));
    }
    try {
      memory.commit(region, to, file, used);
    } catch (Throwable t) {
      region.release(to);
      throw t;
    }
    MemorySegment.copy(bytes, 0, to.bytes(used), 0, used);
    region.release(extent);
    extent = to;
  }

  @Override
  public synchronized void writeTo(IndexOutput output) throws IOException {
    ensureOpen();
    OffHeapMemory.write(bytes.asSlice(0, used), output);
  }

  @Override
  public synchronized FileContents seal() throws IOException {
    ensureOpen();
    region.seal(extent, used);
    ended = true;
    Extent full = extent;
    MemorySegment whole = full.bytes(used);
    return new FileContents(
        new MemorySegment[] {whole},
        Chunks.LARGEST_BYTES,
        full.committed,
        () -> region.release(full),
        arena -> new MemorySegment[] {arena.guard(whole)});
  }

  @Override
  public synchronized void discard() {
    if (!ended) {
      ended = true;
      region.release(extent);
    }
  }

  private void ensureOpen() {
    if (ended) {
      throw new AlreadyClosedException("Already closed: file=" + file);
    }
  }
}
