// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a cache: their slots, their contents and their eviction order.
 *
 * <p>Reads take no lock. Every change takes the one lock, for a few instructions unless an eviction
 * skips many used blocks or memory is allocated. All methods may be called from any thread.
 */
final class CachedBlocks implements Closeable {

  /** Most blocks of a deleted file that are freed under the lock at once. */
  private static final int DROPPED_AT_ONCE = 512;

  private final BlockSlots slots;
  private final SlotTable table;
  private final CacheMemory memory;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock:

  private final EvictionQueue queue;
  private final SlotList.Links contentLinks;

  /** The content of the block in each slot. */
  private final @Nullable CachedContent[] contents;

  private final int[] free;
  private int freeSlots;

  /** Slots from here on were never used. */
  private int firstFresh;

  /** Slots from here on have no memory. */
  private int endOfFresh;

  private volatile boolean closed;

  CachedBlocks(int slotCount, CacheMemory memory) {
    this.memory = memory;
    slots = new BlockSlots(slotCount);
    table = new SlotTable(slotCount);
    queue = new EvictionQueue(slotCount, slots);
    contentLinks = new SlotList.Links(slotCount);
    contents = new CachedContent[slotCount];
    free = new int[slotCount];
    endOfFresh = slotCount;
  }

  SlotList newContentSlots() {
    return new SlotList(contentLinks);
  }

  /** Copies a part of a block if it is cached; returns whether it was. */
  boolean read(CachedContent content, long block, int from, byte[] target, int offset, int length) {
    long key = content.key(block);
    int slot = table.find(key, slots);
    if (slot == SlotTable.NONE) {
      return false;
    }
    long stamp = slots.stamp(slot, key);
    if (stamp == BlockSlots.GONE) {
      return false;
    }
    try {
      memory.read(slot, from, target, offset, length);
    } catch (IllegalStateException _) {
      // The cache was closed.
      return false;
    }
    if (!slots.isValid(slot, stamp)) {
      return false;
    }
    queue.used(slot);
    return true;
  }

  /** Whether the block is cached. Takes no lock, so the answer may be outdated at once. */
  boolean holds(CachedContent content, long block) {
    long key = content.key(block);
    int slot = table.find(key, slots);
    return !closed && slot != SlotTable.NONE && slots.stamp(slot, key) != BlockSlots.GONE;
  }

  /** Whether the block is cached, checked under the lock. */
  boolean surelyHolds(CachedContent content, long block) {
    lock.lock();
    try {
      return table.find(content.key(block), slots) != SlotTable.NONE;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Caches a block, unless no slot is available or its content was dropped. The caller ensures that
   * no other thread caches the same block.
   */
  void put(CachedContent content, long block, byte[] bytes, int length) {
    int slot;
    lock.lock();
    try {
      slot = closed || content.dropped ? SlotTable.NONE : claim();
    } finally {
      lock.unlock();
    }
    if (slot == SlotTable.NONE) {
      return;
    }
    boolean written = write(slot, bytes, length);
    lock.lock();
    try {
      if (written && !closed && !content.dropped) {
        publish(slot, content, content.key(block));
      } else {
        free[freeSlots++] = slot;
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean write(int slot, byte[] bytes, int length) {
    try {
      memory.write(slot, bytes, length);
      return true;
    } catch (IllegalStateException _) {
      // The cache was closed.
      return false;
    }
  }

  private int claim() {
    int slot = unusedSlot();
    return slot == SlotTable.NONE ? evict() : slot;
  }

  private int unusedSlot() {
    if (freeSlots > 0) {
      return free[--freeSlots];
    }
    if (firstFresh == endOfFresh) {
      return SlotTable.NONE;
    }
    try {
      memory.take(firstFresh);
      return firstFresh++;
    } catch (IOException _) {
      // The system has no memory left: go on with the slots that have some.
      endOfFresh = firstFresh;
      return SlotTable.NONE;
    }
  }

  private int evict() {
    int slot = queue.evict();
    CachedContent content = slot == SlotTable.NONE ? null : contents[slot];
    if (content != null) {
      content.kind.evictions.increment();
      takeOut(slot, content);
    }
    return slot;
  }

  /** Ends reads of a slot that was removed from its queue. */
  private void takeOut(int slot, CachedContent content) {
    table.remove(slot, slots);
    slots.claim(slot);
    content.slots.remove(slot);
    contents[slot] = null;
  }

  private void publish(int slot, CachedContent content, long key) {
    slots.publish(slot, key);
    queue.add(slot, key);
    content.slots.add(slot);
    contents[slot] = content;
    table.add(key, slot);
  }

  /** Frees the blocks of a content, and caches none of it from now on. */
  void drop(CachedContent content) {
    boolean more = true;
    while (more) {
      lock.lock();
      try {
        content.dropped = true;
        for (int i = 0; i < DROPPED_AT_ONCE && content.slots.size() > 0; i++) {
          int slot = content.slots.first();
          queue.remove(slot);
          takeOut(slot, content);
          free[freeSlots++] = slot;
        }
        more = content.slots.size() > 0;
      } finally {
        lock.unlock();
      }
    }
  }

  int held() {
    lock.lock();
    try {
      return closed ? 0 : queue.size();
    } finally {
      lock.unlock();
    }
  }

  /** How many blocks can be added before one is evicted. */
  int room() {
    lock.lock();
    try {
      return freeSlots + endOfFresh - firstFresh;
    } finally {
      lock.unlock();
    }
  }

  /** Frees the memory; from now on every lookup misses. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    memory.close();
  }
}
