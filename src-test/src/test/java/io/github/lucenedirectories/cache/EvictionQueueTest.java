// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import static java.util.Objects.requireNonNull;

import io.github.lucenedirectories.cache.CacheMemory.Slot;
import io.github.lucenedirectories.cache.CachedContent.KindCounters;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Which block gives way: S3-FIFO. */
public class EvictionQueueTest extends LibraryTestCase {

  private static final int SLOTS = 100;

  private final CachedContent content = new CachedContent(1, new KindCounters());
  private EvictionQueue queue = new EvictionQueue(SLOTS);

  private CachedBlock add(long number) {
    CachedBlock block = new CachedBlock(content, number, new Slot(MemorySegment.NULL, 0));
    queue.add(block);
    return block;
  }

  /** Adds a block for one that gives way, whose number this returns. */
  private long evictAndAdd(long number) {
    CachedBlock evicted = requireNonNull(queue.evict());
    add(number);
    return evicted.number;
  }

  private List<CachedBlock> fill(int count) {
    List<CachedBlock> blocks = new ArrayList<>();
    for (int number = 0; number < count; number++) {
      blocks.add(add(number));
    }
    return blocks;
  }

  public void testBlocksThatWereNotUsedGoInTheirOrder() {
    fill(SLOTS);
    for (int number = 0; number < SLOTS; number++) {
      assertEquals(number, evictAndAdd(1_000 + number));
    }
  }

  public void testUsedBlocksStay() {
    List<CachedBlock> blocks = fill(SLOTS);
    for (int number = 0; number < SLOTS; number += 4) {
      queue.used(blocks.get(number));
    }
    for (int i = 0; i < 20 * SLOTS; i++) {
      long number = evictAndAdd(1_000 + i);
      assertTrue("number=" + number, number % 4 != 0 || number >= SLOTS);
    }
  }

  /** A use at once belongs to the read that cached the block. */
  public void testUsesCountToThree() {
    queue = new EvictionQueue(10 * SLOTS);
    CachedBlock first = add(0);
    fill(12);
    queue.used(first);
    assertEquals("too soon", 0, first.uses);
    add(12);
    for (int uses = 1; uses <= 5; uses++) {
      queue.used(first);
      assertEquals(Math.min(uses, 3), first.uses);
    }
  }

  /** All blocks are in use: one goes nevertheless, soon, since others wait for the lock. */
  public void testEvictionIsShort() {
    int many = 10 * EvictionQueue.MOST_SPARED;
    queue = new EvictionQueue(many);
    List<CachedBlock> blocks = fill(many);
    blocks.forEach(block -> block.uses = 3);
    assertNotNull(queue.evict());
    long touched = blocks.stream().filter(block -> block.uses != 3).count();
    assertTrue("touched=" + touched, touched <= EvictionQueue.MOST_SPARED);
  }

  public void testBlockThatComesBackIsKept() {
    fill(SLOTS);
    for (int i = 0; i < 10; i++) {
      evictAndAdd(1_000 + i);
    }
    // Blocks 0 to 9 are remembered, unless another has the same place.
    Set<Long> kept = new HashSet<>();
    for (long number = 0; number < 8; number++) {
      queue.evict();
      if (add(number).inMain) {
        kept.add(number);
      }
    }
    assertFalse(kept.isEmpty());
    for (int i = 0; i < 3 * SLOTS; i++) {
      assertFalse(kept.contains(evictAndAdd(5_000 + i)));
    }
  }

  /** Blocks that are used no more go in the end, although all others are used. */
  public void testUsedBlocksGoAtLast() {
    List<CachedBlock> blocks = fill(SLOTS);
    for (int i = 0; i < 2; i++) {
      blocks.forEach(queue::used);
      evictAndAdd(1_000 + i);
    }
    Set<Long> left = new HashSet<>();
    for (long number = 0; number < SLOTS; number++) {
      left.add(number);
    }
    List<CachedBlock> added = new ArrayList<>();
    for (int i = 0; i < 20 * SLOTS; i++) {
      left.remove(requireNonNull(queue.evict()).number);
      added.add(add(2_000 + i));
      if (i >= 3) {
        queue.used(added.get(i - 3));
      }
    }
    // Two were evicted before.
    assertTrue(left.toString(), left.size() <= 2);
  }

  public void testSize() {
    assertNull(queue.evict());
    CachedBlock block = add(5);
    assertEquals(1, queue.size());
    queue.remove(block);
    assertEquals(0, queue.size());
    assertNull(queue.evict());
  }
}
