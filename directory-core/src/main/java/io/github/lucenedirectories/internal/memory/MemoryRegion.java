// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import static io.github.lucenedirectories.internal.os.TransparentHugePages.HUGE_PAGE_BYTES;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.internal.os.LiveResource;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativeCalls.Advice;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.os.TransparentHugePages;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One reserved range of addresses, from which files take extents.
 *
 * <p>An extent first reserves addresses, which cost nothing, and then commits pages from its start
 * on, which count against the limit. Memory of released extents is reused before the system
 * provides more; free memory beyond the high-water mark goes back to the system. All methods may be
 * called from any thread. Callers that release an extent must ensure that it is no longer read.
 */
final class MemoryRegion {

  /*
   * Memory that was touched before is several times faster to write than fresh memory, which the
   * system fills with zeros first. So a new extent begins where free memory is resident.
   *
   *   start        largeStart                                                   end
   *   | small extents | large extents                                            |
   *     whole pages     whole huge pages, aligned; the last one trimmed to pages
   *
   * Each area has its own advice on huge pages, set once, so that a small file does not take a huge
   * page and the number of mappings stays small. The last huge page of a complete large file is
   * split; without advice against it the kernel would in time rebuild the huge page, and take
   * memory that is not counted.
   */

  /** How many places are examined for a new extent. */
  private static final int LOOKED_AT = 256;

  /** Addresses that are reserved per byte of the limit: files being written leave gaps. */
  private static final long ADDRESSES_PER_BYTE = 64;

  /** Of a budget that directories share each may have all, and a process has 2^47 addresses. */
  private static final long ADDRESSES_PER_SHARED_BYTE = 4;

  private static final long FEWEST_ADDRESSES = 1L << 36;
  private static final long MOST_ADDRESSES = 1L << 44;
  private static final int SMALL_SHARE = 8;

  /** An eighth of the limit may stay resident although it is free. */
  private static final int HIGH_WATER_SHARE = 8;

  private static final long LEAST_HIGH_WATER_BYTES = 1L << 26;

  private final NativeCalls calls;
  private final MemoryBudget budget;
  private final boolean hugePages;
  private final long start;
  private final long largeStart;
  private final long end;
  private final long highWaterBytes;

  /** Addresses that belong to no extent. */
  private final AddressRanges free = new AddressRanges();

  /**
   * Resident parts of {@link #free}, and of addresses reserved but not committed; they are counted.
   */
  private final AddressRanges resident = new AddressRanges();

  private int extents;
  private boolean closed;

  private MemoryRegion(
      NativeCalls calls, MemoryBudget budget, boolean hugePages, long start, long end) {
    this.calls = calls;
    this.budget = budget;
    this.hugePages = hugePages;
    this.start = start;
    this.end = end;
    this.largeStart = AddressRanges.roundUp(start + (end - start) / SMALL_SHARE, HUGE_PAGE_BYTES);
    this.highWaterBytes = Math.max(LEAST_HIGH_WATER_BYTES, budget.maxBytes() / HIGH_WATER_SHARE);
    free.add(start, end);
    LiveResource.ADDRESS_RANGES.add(1);
  }

  /**
   * Reserves a range; empty if the system refuses, which it does where overcommitting or the size
   * of the address space is limited.
   *
   * @throws IOException if the system refuses huge pages that are required
   */
  static Optional<MemoryRegion> open(NativeCalls calls, MemoryBudget budget, MemoryOptions options)
      throws IOException {
    boolean huge =
        options.hugePages() != HugePages.NEVER && TransparentHugePages.whyNone().isEmpty();
    long limit = AddressRanges.roundUp(budget.maxBytes(), HUGE_PAGE_BYTES);
    long perByte = options.shared() == null ? ADDRESSES_PER_BYTE : ADDRESSES_PER_SHARED_BYTE;
    for (long bytes = Math.max(FEWEST_ADDRESSES, Math.min(MOST_ADDRESSES, limit * perByte));
        bytes >= 2 * limit;
        bytes /= 2) {
      Optional<Long> start = calls.tryReserve(bytes);
      if (start.isPresent()) {
        MemoryRegion region =
            new MemoryRegion(calls, budget, huge, start.get(), start.get() + bytes);
        try {
          region.prepare(options);
        } catch (Throwable t) {
          region.close();
          throw t;
        }
        PathCounter.NATIVE_MEMORY.increment();
        return Optional.of(region);
      }
    }
    return Optional.empty();
  }

  private void prepare(MemoryOptions options) throws IOException {
    calls.advise(start, end - start, Advice.NOT_DUMPED);
    calls.advise(start, end - start, Advice.NO_HUGE_PAGES);
    if (hugePages) {
      calls.advise(largeStart, end - largeStart, Advice.HUGE_PAGES);
    }
    if (options.hugePages() == HugePages.REQUIRE) {
      requireHugePages();
    }
  }

  private void requireHugePages() throws IOException {
    Optional<String> whyNone = TransparentHugePages.whyNone();
    if (whyNone.isPresent()) {
      throw new IOException("huge pages are required, but " + whyNone.get());
    }
    calls.advise(largeStart, HUGE_PAGE_BYTES, Advice.POPULATE_WRITE);
    boolean given = TransparentHugePages.coveredBytes(largeStart, end) >= HUGE_PAGE_BYTES;
    calls.advise(largeStart, HUGE_PAGE_BYTES, Advice.NOT_NEEDED);
    if (!given) {
      throw new IOException(
          "huge pages are required, but the system gave none: memory is fragmented or short");
    }
  }

  boolean hugePages() {
    return hugePages;
  }

  /**
   * Reserves addresses for an extent that has no memory yet.
   *
   * @param large whether it is to lie in the area of huge pages
   * @return null if no free range is long enough, or the region is closed
   */
  synchronized @Nullable Extent reserve(long bytes, boolean large) {
    long unit = large ? HUGE_PAGE_BYTES : NativeCalls.pageBytes();
    long length = AddressRanges.roundUp(bytes, unit);
    if (closed) {
      return null;
    }
    long address = place(length, unit, large ? largeStart : start, large ? end : largeStart);
    if (address == AddressRanges.NONE) {
      return null;
    }
    free.remove(address, address + length);
    extents++;
    return new Extent(address, length, large);
  }

  /** Free addresses that begin with the most resident memory that a short search finds. */
  private long place(long length, long unit, long from, long to) {
    long best = AddressRanges.NONE;
    long most = 0;
    long next = from;
    for (int i = 0; i < LOOKED_AT && most < length; i++) {
      long address = resident.firstFit(unit, unit, next, to);
      if (address == AddressRanges.NONE) {
        break;
      }
      next = resident.endOf(address);
      long found = Math.min(length, next - address);
      if (found > most && address + length <= to && free.contains(address, address + length)) {
        best = address;
        most = found;
      }
    }
    return best == AddressRanges.NONE ? free.firstFit(length, unit, from, to) : best;
  }

  /** Reserves the addresses behind an extent; false if they belong to another. */
  synchronized boolean extend(Extent extent, long bytes) {
    long length = AddressRanges.roundUp(bytes, unit(extent));
    long from = extent.address + extent.reserved;
    long to = extent.address + length;
    if (to > (extent.large ? end : largeStart) || free.overlap(from, to) < to - from) {
      return false;
    }
    free.remove(from, to);
    extent.reserved = length;
    return true;
  }

  /**
   * Gives an extent memory for its first {@code bytes} bytes, in whole pages, or huge pages.
   *
   * @return 0, or how many bytes are missing below the limit
   */
  synchronized long commit(Extent extent, long bytes) {
    long committed =
        AddressRanges.roundUp(
            bytes, extent.large && hugePages ? HUGE_PAGE_BYTES : NativeCalls.pageBytes());
    long from = extent.address + extent.committed;
    long to = extent.address + committed;
    if (to <= from) {
      return 0;
    }
    for (long lacking = take(from, to); lacking > 0; lacking = take(from, to)) {
      if (resident.isEmpty()) {
        return lacking;
      }
      giveBack(lacking);
    }
    resident.remove(from, to);
    extent.committed = committed;
    return 0;
  }

  private long take(long from, long to) {
    return budget.take(to - from - resident.overlap(from, to));
  }

  /**
   * Ends the writing of an extent, and frees the part that it does not need.
   *
   * @param used length of the file, 0 if the extent holds none
   */
  synchronized void seal(Extent extent, long used) {
    long committed = AddressRanges.roundUp(used, NativeCalls.pageBytes());
    long had = extent.address + extent.committed;
    long cut = extent.address + committed;
    long last = AddressRanges.roundUp(cut, unit(extent));
    long tail = Math.min(last, had) - cut;
    if (tail > 0) {
      calls.advise(cut, tail, Advice.NOT_NEEDED);
      budget.give(tail);
      if (hugePages) {
        calls.advise(last - HUGE_PAGE_BYTES, HUGE_PAGE_BYTES, Advice.NO_HUGE_PAGES);
        extent.cut = true;
      }
    }
    if (had > last) {
      resident.add(last, had);
    }
    free.add(last, extent.address + extent.reserved);
    extent.committed = committed;
    extent.reserved = last - extent.address;
  }

  /** Takes back an extent, which must no longer be read or written. */
  synchronized void release(Extent extent) {
    long keep = extent.committed;
    if (extent.cut) {
      // A split huge page would be reused as small pages. If freed, it comes back whole.
      keep = AddressRanges.roundDown(keep, HUGE_PAGE_BYTES);
      calls.advise(extent.address + keep, extent.committed - keep, Advice.NOT_NEEDED);
      calls.advise(extent.address + keep, HUGE_PAGE_BYTES, Advice.HUGE_PAGES);
      budget.give(extent.committed - keep);
    }
    resident.add(extent.address, extent.address + keep);
    free.add(extent.address, extent.address + extent.reserved);
    if (resident.bytes() > highWaterBytes) {
      giveBack(resident.bytes() - highWaterBytes);
    }
    extents--;
    closeIfUnused();
  }

  /** Gives up to {@code bytes} of free memory back to the system, highest addresses first. */
  private void giveBack(long bytes) {
    for (long left = bytes; left > 0 && !resident.isEmpty(); ) {
      long to = resident.lastEnd();
      long from = Math.max(resident.lastStart(), to - left);
      if (from >= largeStart) {
        from = Math.max(resident.lastStart(), AddressRanges.roundDown(from, HUGE_PAGE_BYTES));
      }
      calls.advise(from, to - from, Advice.NOT_NEEDED);
      resident.remove(from, to);
      budget.give(to - from);
      left -= to - from;
    }
  }

  /** Gives all free memory back to the system. */
  synchronized void giveBackFree() {
    giveBack(resident.bytes());
  }

  private long unit(Extent extent) {
    return extent.large ? HUGE_PAGE_BYTES : NativeCalls.pageBytes();
  }

  /** Memory in use, in bytes. */
  synchronized long usedBytes() {
    return budget.usedBytes() - resident.bytes();
  }

  synchronized long residentFreeBytes() {
    return resident.bytes();
  }

  /** Gives the addresses back once the last extent has been released. */
  synchronized void close() {
    if (!closed) {
      closed = true;
      closeIfUnused();
    }
  }

  private void closeIfUnused() {
    if (closed && extents == 0) {
      budget.give(resident.bytes());
      resident.remove(start, end);
      calls.release(start, end - start);
      LiveResource.ADDRESS_RANGES.add(-1);
    }
  }
}
