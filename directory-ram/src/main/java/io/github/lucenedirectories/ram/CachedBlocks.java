package io.github.lucenedirectories.ram;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The blocks that a cache holds: which slot each is in, whose it is, and which gives way next.
 *
 * <p>Reads take no lock; every change takes the one lock, for a few instructions unless an eviction
 * passes over many blocks in use or memory is taken from the system. All methods may be called from
 * any thread.
 */
final class CachedBlocks implements Closeable {

  /** Blocks of a deleted file that are freed while other threads wait for the lock. */
  private static final int DROPPED_AT_ONCE = 512;

  private final BlockSlots slots;
  private final SlotTable table;
  private final CacheMemory memory;

  private final ReentrantLock lock = new ReentrantLock();

  // Under the lock:

  private final List<CachePartition> partitions = new ArrayList<>();
  private final SlotLinks queueLinks;
  private final SlotLinks contentLinks;
  private final CachePartition.QueueMarks queueMarks;

  /** Whose block a slot holds. */
  private final @Nullable CachedContent[] contents;

  private final int[] free;
  private int freeSlots;

  /** Slots from here on were never used. */
  private int firstFresh;

  /** Slots from here on cannot be had. */
  private int endOfFresh;

  private int held;
  private volatile boolean closed;

  CachedBlocks(int slotCount, CacheMemory memory) {
    this.memory = memory;
    slots = new BlockSlots(slotCount);
    table = new SlotTable(slotCount);
    queueLinks = new SlotLinks(slotCount);
    contentLinks = new SlotLinks(slotCount);
    queueMarks = new CachePartition.QueueMarks(slotCount);
    contents = new CachedContent[slotCount];
    free = new int[slotCount];
    endOfFresh = slotCount;
  }

  CachePartition newPartition(int quota) {
    lock.lock();
    try {
      CachePartition partition = new CachePartition(quota, slots, queueLinks, queueMarks);
      partitions.add(partition);
      return partition;
    } finally {
      lock.unlock();
    }
  }

  void remove(CachePartition partition) {
    lock.lock();
    try {
      partitions.remove(partition);
    } finally {
      lock.unlock();
    }
  }

  SlotList newContentSlots() {
    return new SlotList(contentLinks);
  }

  /** Copies a part of a block if it is here; returns whether it is. */
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
    content.partition.used(slot);
    return true;
  }

  /** Whether a block is here. Without the lock, so it may come or go in the same moment. */
  boolean holds(CachedContent content, long block) {
    long key = content.key(block);
    int slot = table.find(key, slots);
    return !closed && slot != SlotTable.NONE && slots.stamp(slot, key) != BlockSlots.GONE;
  }

  /** Whether a block is here, seen by no one later than by this. */
  boolean surelyHolds(CachedContent content, long block) {
    lock.lock();
    try {
      return table.find(content.key(block), slots) != SlotTable.NONE;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Puts a block in, unless there is no slot to be had or nobody will ask for it. The caller sees
   * to it that no other thread puts the same block in.
   */
  void put(CachedContent content, long block, byte[] bytes, int length) {
    int slot;
    lock.lock();
    try {
      slot = closed || content.dropped ? SlotTable.NONE : claim(content.partition);
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
        content.partition.giveUp();
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

  private int claim(CachePartition partition) {
    int slot = SlotTable.NONE;
    if (!partition.isFull()) {
      slot = unusedSlot();
    }
    if (slot == SlotTable.NONE) {
      slot = evictFrom(partition.isFull() ? partition : largest());
    }
    if (slot != SlotTable.NONE) {
      partition.claim();
    }
    return slot;
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
      // The system has no more: go on with what there is.
      endOfFresh = firstFresh;
      return SlotTable.NONE;
    }
  }

  private CachePartition largest() {
    return partitions.stream().max(Comparator.comparingInt(CachePartition::size)).orElseThrow();
  }

  private int evictFrom(CachePartition partition) {
    int slot = partition.evict();
    CachedContent content = slot == SlotTable.NONE ? null : contents[slot];
    if (content != null) {
      content.kind.evictions.increment();
      takeOut(slot, content);
    }
    return slot;
  }

  /** Ends the reading of a slot that is in no queue any more. */
  private void takeOut(int slot, CachedContent content) {
    table.remove(slot, slots);
    slots.claim(slot);
    content.slots.remove(slot);
    contents[slot] = null;
    held--;
  }

  private void publish(int slot, CachedContent content, long key) {
    slots.publish(slot, key);
    content.partition.add(slot, key);
    content.slots.add(slot);
    contents[slot] = content;
    table.add(key, slot);
    held++;
  }

  /** Frees the blocks of a content, and takes none of them from now on. */
  void drop(CachedContent content) {
    boolean more = true;
    while (more) {
      lock.lock();
      try {
        content.dropped = true;
        for (int i = 0; i < DROPPED_AT_ONCE && content.slots.size() > 0; i++) {
          int slot = content.slots.first();
          content.partition.remove(slot);
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
      return closed ? 0 : held;
    } finally {
      lock.unlock();
    }
  }

  /** Gives the memory back: from now on nothing is found here. */
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
