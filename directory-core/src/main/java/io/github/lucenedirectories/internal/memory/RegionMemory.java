package io.github.lucenedirectories.internal.memory;

import static io.github.lucenedirectories.internal.os.TransparentHugePages.HUGE_PAGE_BYTES;

import io.github.lucenedirectories.internal.os.CountedArena;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.store.Chunks;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A {@link NewMemory} in an extent of a {@link MemoryRegion}. */
final class RegionMemory implements NewMemory {

  private final MemoryRegion region;
  private final long length;
  private @Nullable Extent extent;

  private RegionMemory(MemoryRegion region, Extent extent, long length) {
    this.region = region;
    this.extent = extent;
    this.length = length;
  }

  static NewMemory allocate(OffHeapMemory memory, MemoryRegion region, String file, long length)
      throws IOException {
    // What would fill less than half a huge page does not get one.
    boolean large = length > HUGE_PAGE_BYTES / 2;
    Extent extent = memory.reserve(region, file, length, large);
    try {
      memory.commit(region, extent, file, length);
    } catch (Throwable t) {
      region.release(extent);
      throw t;
    }
    return new RegionMemory(region, extent, length);
  }

  private Extent extent() {
    if (extent == null) {
      throw new IllegalStateException("the writing has ended: length=" + length);
    }
    return extent;
  }

  @Override
  public MemorySegment bytes() {
    return extent().bytes(length);
  }

  @Override
  public FileContents seal() throws IOException {
    FileContents sealed = seal(region, extent(), length);
    extent = null;
    return sealed;
  }

  @Override
  public SharedMemory share() throws IOException {
    Extent shared = extent();
    region.seal(shared, length);
    CountedArena arena = new CountedArena(LiveResource.MEMORY_BYTES, () -> region.release(shared));
    arena.addBytes(shared.committed);
    extent = null;
    return new SharedMemory(arena.guard(shared.bytes(length)), arena);
  }

  @Override
  public void discard() {
    if (extent != null) {
      region.release(extent);
      extent = null;
    }
  }

  /** Makes an extent a complete file. */
  static FileContents seal(MemoryRegion region, Extent extent, long length) throws IOException {
    region.seal(extent, length);
    MemorySegment file = extent.bytes(length);
    return new FileContents(
        new MemorySegment[] {file},
        Chunks.LARGEST_BYTES,
        extent.committed,
        () -> region.release(extent),
        arena -> new MemorySegment[] {arena.guard(file)});
  }
}
