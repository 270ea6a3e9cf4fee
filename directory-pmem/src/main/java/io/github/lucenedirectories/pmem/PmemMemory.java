// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.FileContents;
import io.github.lucenedirectories.internal.memory.FileMemory;
import io.github.lucenedirectories.internal.memory.MemorySink;
import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.Reaper;
import io.github.lucenedirectories.internal.store.Chunks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IORunnable;
import org.jspecify.annotations.Nullable;

/** Allocates the memory of files in pools. All methods may be called from any thread. */
final class PmemMemory implements FileMemory {

  private static final int PARTS_PER_POOL = 4;

  private final Pools pools;
  private final PageAllocator allocator;
  private final PmemOptions options;
  private final Reaper reaper;
  private final Object growing = new Object();

  /** Records pending deletions, so that extents without readers are freed. */
  private IORunnable reclaim = () -> {};

  PmemMemory(Pools pools, PageAllocator allocator, PmemOptions options, Reaper reaper) {
    this.pools = pools;
    this.allocator = allocator;
    this.options = options;
    this.reaper = reaper;
  }

  /** Called once, before the first file is created. */
  void reclaimBy(IORunnable how) {
    reclaim = how;
  }

  /** Guards capacity changes. */
  Object growing() {
    return growing;
  }

  Pools pools() {
    return pools;
  }

  PageAllocator allocator() {
    return allocator;
  }

  @Override
  public long chunkBytes() {
    return options.chunkBytes();
  }

  /** Length of the parts of a file that fits in no single extent: a power of two. */
  long partBytes() {
    return Math.max(
        Layout.PAGE_BYTES, Long.highestOneBit(options.poolFileBytes() / PARTS_PER_POOL));
  }

  @Override
  public MemorySink newSink(String file, IOContext context) {
    return new PmemSink(this, file, MemorySink.estimate(context));
  }

  @Override
  public FileContents copyOf(String file, byte[] bytes, int length) throws IOException {
    if (length == 0) {
      return sealed(List.of());
    }
    PoolExtent extent = allocate(file, length, length);
    try {
      pools.write(extent.address(), bytes, 0, length);
    } catch (Throwable t) {
      allocator.unused(extent.address());
      throw t;
    }
    return sealed(List.of(extent));
  }

  /**
   * Allocates an extent of {@code wanted} bytes or, if there is none and no pool file can be added
   * for it, of {@code needed} bytes.
   *
   * @throws IOException if there is no room
   */
  PoolExtent allocate(String file, long needed, long wanted) throws IOException {
    PoolExtent extent = takeFree(needed, wanted);
    if (extent != null) {
      return extent;
    }
    reclaim.run();
    reaper.drain();
    synchronized (growing) {
      extent = takeFree(needed, wanted);
      while (extent == null) {
        grow(file, needed, wanted);
        // Null again if other threads have taken the added pages.
        extent = takeFree(needed, wanted);
      }
      return extent;
    }
  }

  private @Nullable PoolExtent takeFree(long needed, long wanted) {
    PoolExtent extent = allocator.allocate(wanted);
    return extent == null ? allocator.allocate(needed) : extent;
  }

  private void grow(String file, long needed, long wanted) throws IOException {
    try {
      pools.grow(needed, wanted);
    } catch (IOException e) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "the pools are full, and none can be added: file=%s, neededBytes=%s, freeBytes=%s, "
                  + "longestFreeBytes=%s, maxBytes=%s: %s: %s",
              file,
              needed,
              allocator.freeBytes(),
              allocator.longestFreeBytes(),
              options.maxBytes(),
              pools,
              e.getMessage()),
          e);
    }
  }

  FileContents sealed(List<PoolExtent> extents) {
    List<MemorySegment> parts = new ArrayList<>();
    long memoryBytes = 0;
    for (PoolExtent extent : extents) {
      parts.add(pools.bytes(extent.address(), extent.length()));
      memoryBytes += extent.pageBytes();
    }
    return new FileContents(
        parts.isEmpty()
            ? new MemorySegment[] {MemorySegment.NULL}
            : parts.toArray(MemorySegment[]::new),
        extents.size() > 1 ? extents.get(0).length() : Chunks.LARGEST_BYTES,
        memoryBytes,
        () -> extents.forEach(extent -> allocator.unused(extent.address())),
        arena -> views(arena, extents));
  }

  private MemorySegment[] views(CountedArena arena, List<PoolExtent> extents) throws IOException {
    if (extents.isEmpty()) {
      return new MemorySegment[] {arena.allocate(0, 1)};
    }
    MemorySegment[] views = new MemorySegment[extents.size()];
    for (int i = 0; i < views.length; i++) {
      views[i] = pools.view(arena, extents.get(i).address(), extents.get(i).length());
    }
    return views;
  }

  @Override
  public void release(FileContents memory) {
    memory.release(reaper);
  }
}
