package io.github.lucenedirectories.core;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;

/** A {@link MemorySink} that writes into address space reserved ahead of the bytes. */
final class ReservedSink implements MemorySink {

  /*
   * Address space costs next to nothing while it is not touched, so a file reserves more than most
   * files need, once more if that was too little, and gives the rest back when it is complete. That
   * makes the file contiguous without knowing its length and without copying it.
   *
   * The first reservation is small enough for 100,000 files that live at once in the 128 TiB of
   * x86-64: what a file gave back is a hole that the next reservation does not fit in.
   *
   * Methods are synchronized because a write into a region that another thread trims or moves would
   * be a write to somebody else's memory; an output used wrongly must not do that.
   */

  /** Address space that a file reserves at first. */
  private static final long FIRST_BYTES = 1L << 30;

  /** Address space of a long file; a longer one gets several regions of this length. */
  static final long REGION_BYTES = OffHeapMemory.LARGEST_CHUNK_BYTES;

  static final long HUGE_PAGE_BYTES = 1L << 21;

  private final NativeCalls calls;
  private final long chunkBytes;
  private final Reaper reaper;
  private final CountedArena arena;

  /** Regions that are full. */
  private final List<MemorySegment> full = new ArrayList<>();

  private Region region;

  /** Bytes used of {@link #region}. */
  private long used;

  private boolean ended;

  private ReservedSink(
      NativeCalls calls, long chunkBytes, Reaper reaper, CountedArena arena, Region region) {
    this.calls = calls;
    this.chunkBytes = chunkBytes;
    this.reaper = reaper;
    this.arena = arena;
    this.region = region;
  }

  /** A sink, or empty if the system refuses to reserve the address space. */
  static Optional<MemorySink> open(NativeCalls calls, long chunkBytes, Reaper reaper) {
    CountedArena arena = OffHeapMemory.newArena();
    try {
      Region region = new Region(calls, arena);
      PathCounter.NATIVE_MEMORY.increment();
      return Optional.of(new ReservedSink(calls, chunkBytes, reaper, arena, region));
    } catch (IOException _) {
      arena.close();
      return Optional.empty();
    }
  }

  @Override
  public synchronized void append(byte[] bytes, int offset, int length) throws IOException {
    ensureOpen();
    for (int done = 0; done < length; ) {
      if (used == REGION_BYTES) {
        full.add(region.segment);
        arena.addBytes(used);
        region = new Region(calls, arena);
        used = 0;
      } else if (used == region.reserved) {
        region.extend();
      }
      int n = (int) Math.min(length - done, region.reserved - used);
      if (used <= HUGE_PAGE_BYTES && used + n > HUGE_PAGE_BYTES) {
        region.useHugePages();
      }
      OffHeapMemory.copy(bytes, offset + done, region.segment, used, n);
      used += n;
      done += n;
    }
  }

  @Override
  public synchronized SealedMemory seal() {
    ensureOpen();
    ended = true;
    arena.addBytes(region.trim(used));
    List<MemorySegment> chunks = new ArrayList<>();
    long length = 0;
    full.add(region.segment.asSlice(0, used));
    for (MemorySegment segment : full) {
      chunks.addAll(List.of(SegmentIndexInput.chunksOf(segment.asReadOnly(), chunkBytes)));
      length += segment.byteSize();
    }
    return new SealedMemory(chunks.toArray(MemorySegment[]::new), length, arena);
  }

  @Override
  public synchronized void discard() {
    if (!ended) {
      ended = true;
      reaper.retire(arena);
    }
  }

  private void ensureOpen() {
    if (ended) {
      throw new AlreadyClosedException("Already closed");
    }
  }

  /** One reservation; closing the arena gives back what {@link #trim} left. */
  private static final class Region {
    private final NativeCalls calls;
    private final CountedArena arena;
    private volatile long address;
    private volatile long reserved;
    private MemorySegment segment;

    Region(NativeCalls calls, CountedArena arena) throws IOException {
      this.calls = calls;
      this.arena = arena;
      this.address = calls.reserve(FIRST_BYTES);
      this.reserved = FIRST_BYTES;
      this.segment = view(true);
    }

    /** The region as it is now. The first view also makes the arena release it, wherever it is. */
    @SuppressWarnings("restricted") // the segment has the bounds of the reservation
    private MemorySegment view(boolean first) {
      MemorySegment start = MemorySegment.ofAddress(address);
      return first
          ? start.reinterpret(reserved, arena, _ -> calls.release(address, reserved))
          : start.reinterpret(reserved, arena, null);
    }

    void extend() throws IOException {
      address = calls.extend(address, reserved, REGION_BYTES);
      reserved = REGION_BYTES;
      segment = view(false);
    }

    /**
     * For the bytes from now on, so that a small file takes no huge page. The advice is for the
     * whole region all the same: mremap cannot extend one that has parts.
     */
    void useHugePages() {
      calls.advise(segment, NativeCalls.Advice.HUGE_PAGES);
    }

    /** Gives back the address space behind the bytes used; returns how much is left. */
    long trim(long used) {
      long page = calls.pageBytes();
      // At least one page stays, for the arena to release.
      long kept = Math.max(page, (used + page - 1) / page * page);
      if (kept < reserved && calls.release(address + kept, reserved - kept)) {
        reserved = kept;
      }
      return kept;
    }
  }
}
