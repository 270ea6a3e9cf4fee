// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import static io.github.lucenedirectories.internal.os.TransparentHugePages.HUGE_PAGE_BYTES;

import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/**
 * Memory in extents of a {@link MemoryRegion}, in which files grow without being copied, large ones
 * in huge pages if the system provides them.
 */
final class ReservedMemory extends OffHeapMemory {

  /*
   * A file begins in a small extent, which grows fourfold; the file is copied if the addresses
   * behind it are taken. From 4 MiB on it reserves as many addresses as Lucene estimates, so that a
   * large merge is not copied.
   *
   * Files of flushes and small merges are short-lived. They do not use huge pages, since the last
   * one would be split for each file, and the system would have to zero a new one.
   */

  private static final long FIRST_BYTES = 1L << 16;
  private static final int SMALL_GROWTH = 4;
  private static final int LARGE_GROWTH = 2;

  /** An extent that reserves more than this lies in the area of huge pages. */
  private static final long LARGEST_SMALL_BYTES = 1L << 22;

  /** Addresses of a large file of unknown length. */
  private static final long UNKNOWN_BYTES = 1L << 30;

  private final MemoryRegion region;

  ReservedMemory(MemoryOptions options, Reaper reaper, MemoryBudget budget, MemoryRegion region) {
    super(options, reaper, budget);
    this.region = region;
  }

  @Override
  public FileContents allocate(String file, long length) throws IOException {
    // A file that would fill less than half a huge page does not get one.
    Extent extent = reserve(file, length, length > HUGE_PAGE_BYTES / 2);
    try {
      commit(file, extent, length);
      return seal(extent, length);
    } catch (Throwable t) {
      region.release(extent);
      throw t;
    }
  }

  @Override
  public MemorySink newSink(String file, IOContext context) throws IOException {
    return new Sink(file, MemorySink.estimate(context), reserve(file, FIRST_BYTES, false));
  }

  private Extent reserve(String file, long bytes, boolean large) throws MemoryLimitException {
    Extent extent = region.reserve(bytes, large);
    if (extent == null) {
      reaper.drain();
      extent = region.reserve(bytes, large);
    }
    if (extent == null) {
      throw MemoryLimitException.noAddresses(file, bytes, this);
    }
    return extent;
  }

  /** Gives an extent memory for its first {@code bytes} bytes. */
  private void commit(String file, Extent extent, long bytes) throws MemoryLimitException {
    take(file, () -> region.commit(extent, bytes));
  }

  private FileContents seal(Extent extent, long length) {
    region.seal(extent, length);
    MemorySegment bytes = extent.bytes(length);
    return new FileContents(
        new MemorySegment[] {bytes},
        Chunks.LARGEST_BYTES,
        extent.committed,
        () -> region.release(extent),
        arena -> new MemorySegment[] {arena.guard(bytes)});
  }

  private static boolean isLarge(long bytes) {
    return bytes > LARGEST_SMALL_BYTES;
  }

  @Override
  public long usedBytes() {
    return region.usedBytes();
  }

  @Override
  public long residentFreeBytes() {
    return region.residentFreeBytes();
  }

  @Override
  void giveBackFree() {
    super.giveBackFree();
    region.giveBackFree();
  }

  @Override
  public String description() {
    return "reserved, huge pages " + (region.hugePages() ? "asked for" : "not used");
  }

  @Override
  public void close() {
    super.close();
    region.close();
  }

  /**
   * A new file. Its methods are synchronized because a write into an extent that another thread
   * released could change another file, which even an output used wrongly must not do.
   */
  private final class Sink implements MemorySink {
    private final String file;
    private final long estimate;
    private Extent extent;
    private MemorySegment bytes;
    private long used;
    private boolean ended;

    Sink(String file, long estimate, Extent extent) {
      this.file = file;
      this.estimate = estimate;
      this.extent = extent;
      this.bytes = extent.bytes(extent.reserved);
    }

    @Override
    public synchronized void append(byte[] from, int offset, int length) throws IOException {
      ensureOpen();
      long needed = used + length;
      if (needed > extent.committed) {
        if (needed > extent.reserved) {
          makeRoom(needed);
        }
        commit(file, extent, needed);
      }
      copy(from, offset, bytes, used, length);
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
      long all = Math.max(grown, estimate == UNKNOWN ? UNKNOWN_BYTES : estimate);
      // No file is longer than the limit.
      return Math.min(all, maxBytes());
    }

    private void move(long needed, long wanted) throws IOException {
      Extent to = region.reserve(wanted, isLarge(wanted));
      if (to == null) {
        to = reserve(file, needed, isLarge(needed));
      }
      try {
        commit(file, to, used);
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
      write(bytes.asSlice(0, used), output);
    }

    @Override
    public synchronized FileContents seal() throws IOException {
      ensureOpen();
      FileContents sealed = ReservedMemory.this.seal(extent, used);
      ended = true;
      return sealed;
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
}
