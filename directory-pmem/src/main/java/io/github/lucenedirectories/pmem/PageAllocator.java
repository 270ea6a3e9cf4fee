// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.internal.memory.AddressRanges;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the free pages of the pools. It lies on the heap and is rebuilt from the metadata at each
 * open.
 *
 * <p>An extent is freed when no reader or writer uses it and no metadata name it. All methods may
 * be called from any thread; addresses are multiples of a page.
 */
final class PageAllocator {

  private final ReentrantLock lock = new ReentrantLock();
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

  void add(long start, long end) {
    lock.lock();
    try {
      free.add(start, end);
      capacity += end - start;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes an extent that metadata name, and marks it as used.
   *
   * @return false if not all of it is free
   */
  boolean takeNamed(PoolExtent extent) {
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes an extent of whole pages.
   *
   * @return its address, or {@link AddressRanges#NONE}
   */
  long allocate(long bytes) {
    long length = pages(bytes);
    lock.lock();
    try {
      long address = free.firstFit(length, Layout.PAGE_BYTES, 0, Long.MAX_VALUE);
      if (address != AddressRanges.NONE) {
        free.remove(address, address + length);
        held.put(address, new Held(length));
      }
      return address;
    } finally {
      lock.unlock();
    }
  }

  /** Extends an extent in place; returns false if the pages behind it are not free. */
  boolean extend(long address, long bytes) {
    long length = pages(bytes);
    lock.lock();
    try {
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
    } finally {
      lock.unlock();
    }
  }

  /** Frees the pages of an extent that lie behind its first bytes. */
  void trim(long address, long bytes) {
    long length = pages(bytes);
    lock.lock();
    try {
      Held extent = find(address);
      free.add(address + length, address + extent.bytes);
      extent.bytes = length;
    } finally {
      lock.unlock();
    }
  }

  /** Splits an extent: the pages behind its first bytes become a separate extent. */
  void split(long address, long bytes) {
    lock.lock();
    try {
      Held extent = find(address);
      held.put(address + bytes, new Held(extent.bytes - bytes));
      extent.bytes = bytes;
    } finally {
      lock.unlock();
    }
  }

  private Held find(long address) {
    Held extent = held.get(address);
    if (extent == null) {
      throw new IllegalStateException("no extent: address=" + address);
    }
    return extent;
  }

  /** Marks an extent as no longer read or written. */
  void unused(long address) {
    lock.lock();
    try {
      Held extent = find(address);
      extent.used = false;
      freeIfDone(address, extent);
      Runnable task = whenUnused;
      if (task != null && isUnusedOr(task)) {
        task.run();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Marks whether metadata name extents, or may name them after a crash. */
  void setNamed(List<PoolExtent> extents, boolean named) {
    lock.lock();
    try {
      for (PoolExtent extent : extents) {
        Held one = find(extent.address());
        one.named = named;
        freeIfDone(extent.address(), one);
      }
    } finally {
      lock.unlock();
    }
  }

  private void freeIfDone(long address, Held extent) {
    if (!extent.used && !extent.named) {
      held.remove(address);
      free.add(address, address + extent.bytes);
    }
  }

  /** Takes free pages at or behind an address as an extent, at most so many bytes; or null. */
  @Nullable PoolExtent takeFreeFrom(long address, long bytes) {
    lock.lock();
    try {
      long start = free.firstFit(Layout.PAGE_BYTES, Layout.PAGE_BYTES, address, Long.MAX_VALUE);
      if (start == AddressRanges.NONE) {
        return null;
      }
      long length = Math.min(bytes, free.endOf(start) - start);
      free.remove(start, start + length);
      held.put(start, new Held(length));
      return new PoolExtent(start, length);
    } finally {
      lock.unlock();
    }
  }

  /** Whether no extent is being read or written; if one is, the task runs when none is. */
  boolean isUnusedOr(Runnable task) {
    lock.lock();
    try {
      boolean unused = held.values().stream().noneMatch(extent -> extent.used);
      whenUnused = unused ? null : task;
      return unused;
    } finally {
      lock.unlock();
    }
  }

  long totalBytes() {
    lock.lock();
    try {
      return capacity;
    } finally {
      lock.unlock();
    }
  }

  long freeBytes() {
    lock.lock();
    try {
      return free.bytes();
    } finally {
      lock.unlock();
    }
  }

  long longestFreeBytes() {
    lock.lock();
    try {
      return free.longest();
    } finally {
      lock.unlock();
    }
  }
}
