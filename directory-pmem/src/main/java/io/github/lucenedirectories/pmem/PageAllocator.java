// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the free pages of the pools. It lies on the heap and is rebuilt from the metadata at each
 * open.
 *
 * <p>An extent is freed when no reader or writer uses it and no metadata name it. All methods may
 * be called from any thread; addresses are multiples of a page.
 */
final class PageAllocator {

  private final AddressRanges free = new AddressRanges();
  private final Map<Long, Held> held = new HashMap<>();
  private long capacity;
  private @Nullable Runnable whenUnused;

  private static final class Held {
    private long bytes;
    private boolean used = true;
    private boolean named;

    Held(long bytes) {
      this.bytes = bytes;
    }
  }

  private static long pages(long bytes) {
    return AddressRanges.roundUp(bytes, Layout.PAGE_BYTES);
  }

  synchronized void add(long start, long end) {
    free.add(start, end);
    capacity += end - start;
  }

  /**
   * Takes an extent that metadata name, and marks it as used.
   *
   * @return false if not all of it is free
   */
  synchronized boolean takeNamed(PoolExtent extent) {
    if (extent.address() % Layout.PAGE_BYTES != 0
        || extent.length() <= 0
        // The sum of address and length overflows.
        || extent.end() <= extent.address()
        || !free.contains(extent.address(), extent.end())) {
      return false;
    }
    free.remove(extent.address(), extent.end());
    Held taken = new Held(extent.pageBytes());
    taken.named = true;
    held.put(extent.address(), taken);
    return true;
  }

  /** Takes an extent, or returns null if no free range is long enough. */
  synchronized @Nullable PoolExtent allocate(long bytes) {
    long length = pages(bytes);
    long address = free.firstFit(length, Layout.PAGE_BYTES, 0, Long.MAX_VALUE);
    return address == AddressRanges.NONE ? null : take(address, length, bytes);
  }

  private PoolExtent take(long address, long pageBytes, long bytes) {
    free.remove(address, address + pageBytes);
    held.put(address, new Held(pageBytes));
    return new PoolExtent(address, bytes);
  }

  /** Extends an extent in place; returns false if the pages behind it are not free. */
  synchronized boolean extend(long address, long bytes) {
    long length = pages(bytes);
    Held extent = find(address);
    if (length <= extent.bytes) {
      return true;
    }
    long end = address + extent.bytes;
    if (!free.contains(end, address + length)) {
      return false;
    }
    free.remove(end, address + length);
    extent.bytes = length;
    return true;
  }

  /** Frees the pages of an extent that lie behind its first bytes. */
  synchronized void trim(long address, long bytes) {
    long length = pages(bytes);
    Held extent = find(address);
    free.add(address + length, address + extent.bytes);
    extent.bytes = length;
  }

  /** Splits an extent: the pages behind its first bytes become a separate extent. */
  synchronized void split(long address, long bytes) {
    Held extent = find(address);
    held.put(address + bytes, new Held(extent.bytes - bytes));
    extent.bytes = bytes;
  }

  private Held find(long address) {
    Held extent = held.get(address);
    if (extent == null) {
      throw new IllegalStateException("no extent: address=" + address);
    }
    return extent;
  }

  /** Marks an extent as no longer read or written. */
  synchronized void unused(long address) {
    Held extent = find(address);
    extent.used = false;
    freeIfDone(address, extent);
    Runnable task = whenUnused;
    if (task != null && isUnusedOr(task)) {
      task.run();
    }
  }

  /** Marks whether metadata name extents, or may name them after a crash. */
  synchronized void setNamed(List<PoolExtent> extents, boolean named) {
    for (PoolExtent extent : extents) {
      Held one = find(extent.address());
      one.named = named;
      freeIfDone(extent.address(), one);
    }
  }

  private void freeIfDone(long address, Held extent) {
    if (!extent.used && !extent.named) {
      held.remove(address);
      free.add(address, address + extent.bytes);
    }
  }

  /**
   * Takes the next free pages from an address on as an extent of at most {@code bytes}, or null.
   */
  synchronized @Nullable PoolExtent takeFreeFrom(long address, long bytes) {
    long start = free.firstFit(Layout.PAGE_BYTES, Layout.PAGE_BYTES, address, Long.MAX_VALUE);
    if (start == AddressRanges.NONE) {
      return null;
    }
    long length = Math.min(bytes, free.endOf(start) - start);
    return take(start, length, length);
  }

  /** Whether no extent is being read or written; if one is, the task runs when none is. */
  synchronized boolean isUnusedOr(Runnable task) {
    boolean unused = held.values().stream().noneMatch(extent -> extent.used);
    whenUnused = unused ? null : task;
    return unused;
  }

  synchronized long totalBytes() {
    return capacity;
  }

  synchronized long freeBytes() {
    return free.bytes();
  }

  synchronized long longestFreeBytes() {
    return free.longest();
  }
}
