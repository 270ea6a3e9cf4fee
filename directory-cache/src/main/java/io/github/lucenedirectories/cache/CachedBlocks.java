// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.cache.CacheMemory.Slot;
import java.io.Closeable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a cache: their slots, the table to find them, and their eviction order.
 *
 * <p>Reads take no lock. Every change takes this object's lock, for a few instructions unless an
 * eviction skips many used blocks or memory is allocated. All methods may be called from any
 * thread.
 */
final class CachedBlocks implements Closeable {

  /*
   * A reader finds a block, copies bytes from its slot, and then checks that the block was not
   * removed meanwhile; else the bytes may belong to another block. The order is
   *
   *   writer: removed (release fence) bytes of the next block
   *   reader: bytes (acquire fence) removed
   *
   * so a reader that copied one byte of the next block sees that its block was removed. Boehm, "Can
   * seqlocks get along with programming language memory models?", 2012.
   *
   * The table has a chain of blocks at each place. A removed block keeps its own link, so a reader
   * that has come to it still finds the rest of the chain.
   */

  private final AtomicReferenceArray<@Nullable CachedBlock> table;

  /** Guarded by the lock, as is the queue. */
  private final CacheMemory memory;

  private final EvictionQueue queue;
  private volatile boolean closed;

  CachedBlocks(int slotCount, CacheMemory memory) {
    this.memory = memory;
    table = new AtomicReferenceArray<>(Integer.highestOneBit(slotCount) << 2);
    queue = new EvictionQueue(slotCount);
  }

  private int place(long hash) {
    return (int) hash & (table.length() - 1);
  }

  private @Nullable CachedBlock find(CachedContent content, long number) {
    CachedBlock block = table.get(place(content.hash(number)));
    while (block != null && (block.number != number || block.content != content)) {
      block = block.next;
    }
    return block;
  }

  /** Copies a part of a block if it is cached; returns whether it was. */
  boolean read(
      CachedContent content, long number, int from, byte[] target, int offset, int length) {
    CachedBlock block = find(content, number);
    if (block == null) {
      return false;
    }
    try {
      MemorySegment.copy(
          block.slab, ValueLayout.JAVA_BYTE, block.offset + from, target, offset, length);
    } catch (IllegalStateException _) {
      // The cache was closed.
      return false;
    }
    VarHandle.acquireFence();
    if (block.removed) {
      return false;
    }
    queue.used(block);
    return true;
  }

  /** Whether the block is cached. Takes no lock, so the answer may be outdated at once. */
  boolean holds(CachedContent content, long number) {
    return !closed && find(content, number) != null;
  }

  /**
   * Caches a block, unless no slot is available or its content was dropped. The caller ensures that
   * no other thread caches the same block.
   */
  void put(CachedContent content, long number, byte[] bytes, int length) {
    Slot slot = claim(content);
    if (slot == null) {
      return;
    }
    // Readers of the block that had the slot must see that it was removed.
    VarHandle.releaseFence();
    try {
      MemorySegment.copy(bytes, 0, slot.slab(), ValueLayout.JAVA_BYTE, slot.offset(), length);
    } catch (IllegalStateException _) {
      // The cache was closed.
      return;
    }
    publish(new CachedBlock(content, number, slot));
  }

  private synchronized @Nullable Slot claim(CachedContent content) {
    if (closed || content.dropped) {
      return null;
    }
    Slot slot = memory.take();
    if (slot != null) {
      return slot;
    }
    CachedBlock evicted = queue.evict();
    if (evicted == null) {
      return null;
    }
    evicted.content.kind.evictions.increment();
    takeOut(evicted);
    return evicted.slot();
  }

  private synchronized void publish(CachedBlock block) {
    if (closed || block.content.dropped) {
      memory.giveBack(block.slot());
      return;
    }
    queue.add(block);
    int place = place(block.hash());
    block.next = table.get(place);
    table.set(place, block);
  }

  /** Ends reads of a block that was removed from its queue. */
  private void takeOut(CachedBlock block) {
    block.removed = true;
    int place = place(block.hash());
    CachedBlock at = table.get(place);
    if (at == block) {
      table.set(place, block.next);
    }
    for (; at != null; at = at.next) {
      if (at.next == block) {
        at.next = block.next;
      }
    }
  }

  /**
   * Frees the blocks of a content, and caches none of it from now on.
   *
   * @param blocks how many the file has; where the table has fewer places, it is searched instead
   */
  void drop(CachedContent content, long blocks) {
    synchronized (this) {
      content.dropped = true;
    }
    if (blocks < table.length()) {
      for (long number = 0; number < blocks; number++) {
        if (find(content, number) != null) {
          free(content, number);
        }
      }
      return;
    }
    for (int place = 0; place < table.length(); place++) {
      for (CachedBlock block = table.get(place); block != null; block = block.next) {
        if (block.content == content) {
          free(content, block.number);
        }
      }
    }
  }

  private synchronized void free(CachedContent content, long number) {
    CachedBlock block = find(content, number);
    if (block != null) {
      queue.remove(block);
      takeOut(block);
      memory.giveBack(block.slot());
    }
  }

  synchronized int held() {
    return closed ? 0 : queue.size();
  }

  boolean isClosed() {
    return closed;
  }

  /** Frees the memory; from now on every lookup misses. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    memory.close();
  }
}
