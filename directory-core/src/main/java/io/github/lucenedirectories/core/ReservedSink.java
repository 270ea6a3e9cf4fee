package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A {@link MemorySink} that writes into address space reserved ahead of the bytes. */
final class ReservedSink implements MemorySink {

  /*
   * Address space costs next to nothing (128 TiB on x86-64, nothing committed until it is touched),
   * so each file reserves as much as it may need and gives the rest back when it is complete. That
   * makes every file contiguous without knowing its length and without copying it.
   */

  /** Address space reserved at once; a longer file gets several regions of this length. */
  static final long REGION_BYTES = OffHeapMemory.LARGEST_CHUNK_BYTES;

  static final long HUGE_PAGE_BYTES = 1L << 21;

  private final NativeCalls calls;
  private final long chunkBytes;
  private final Reaper reaper;
  private final CountedArena arena = OffHeapMemory.newArena();

  /** Regions that are full. */
  private final List<MemorySegment> full = new ArrayList<>();

  private Region region;

  /** Bytes used of {@link #region}. */
  private long used;

  private ReservedSink(NativeCalls calls, long chunkBytes, Reaper reaper) throws IOException {
    this.calls = calls;
    this.chunkBytes = chunkBytes;
    this.reaper = reaper;
    this.region = new Region(calls, arena);
  }

  /** A sink, or empty if the system refuses to reserve the address space. */
  static Optional<MemorySink> open(NativeCalls calls, long chunkBytes, Reaper reaper) {
    try {
      MemorySink sink = new ReservedSink(calls, chunkBytes, reaper);
      PathCounter.NATIVE_MEMORY.increment();
      return Optional.of(sink);
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  @Override
  public void append(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; ) {
      if (used == REGION_BYTES) {
        full.add(region.segment);
        arena.addBytes(used);
        region = new Region(calls, arena);
        used = 0;
      }
      int n = (int) Math.min(length - done, REGION_BYTES - used);
      if (used <= HUGE_PAGE_BYTES && used + n > HUGE_PAGE_BYTES) {
        region.useHugePages();
      }
      OffHeapMemory.copy(bytes, offset + done, region.segment, used, n);
      used += n;
      done += n;
    }
  }

  @Override
  public SealedMemory seal() {
    arena.addBytes(region.trim(used));
    List<MemorySegment> chunks = new ArrayList<>();
    long length = used;
    for (MemorySegment segment : full) {
      chunks.addAll(List.of(SegmentIndexInput.chunksOf(segment, chunkBytes)));
      length += segment.byteSize();
    }
    chunks.addAll(List.of(SegmentIndexInput.chunksOf(region.segment.asSlice(0, used), chunkBytes)));
    return new SealedMemory(chunks.toArray(MemorySegment[]::new), length, arena);
  }

  @Override
  public void discard() {
    reaper.retire(arena);
  }

  /** One reservation; closing the arena gives back what {@link #trim} left. */
  private static final class Region {
    private final NativeCalls calls;
    private final long address;
    private final MemorySegment segment;
    private volatile long reserved = REGION_BYTES;

    @SuppressWarnings("restricted") // the segment has the bounds of the reservation
    Region(NativeCalls calls, CountedArena arena) throws IOException {
      this.calls = calls;
      this.address = calls.reserve(REGION_BYTES);
      this.segment =
          MemorySegment.ofAddress(address)
              .reinterpret(REGION_BYTES, arena, _ -> calls.release(address, reserved));
    }

    /** From the first whole huge page on: a small file takes no huge page. */
    void useHugePages() {
      long first = -address & (HUGE_PAGE_BYTES - 1);
      calls.advise(segment.asSlice(first + HUGE_PAGE_BYTES), NativeCalls.Advice.HUGE_PAGES);
    }

    /** Gives back the address space behind the bytes used; returns how much is left. */
    long trim(long used) {
      long page = calls.pageBytes();
      // At least one page stays, for the arena to release.
      long kept = Math.max(page, (used + page - 1) / page * page);
      calls.release(address + kept, REGION_BYTES - kept);
      reserved = kept;
      return kept;
    }
  }
}
