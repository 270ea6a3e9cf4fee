// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.cache.CacheMemory.Slot;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * A block in a slot of the cache, from the moment its bytes are complete until it is removed. It
 * never comes back: the same block of the file is another object then.
 */
final class CachedBlock {

  final CachedContent content;
  final long number;

  // Where the bytes are. Not one object, which would cost a hit one more miss of the processor.
  final MemorySegment slab;
  final long offset;

  /** Set before the slot is given to another block: bytes read from it may be those of that one. */
  volatile boolean removed;

  /** The next block with the same place in the table; changed under the cache's lock. */
  volatile @Nullable CachedBlock next;

  // The eviction queue's, guarded by the cache's lock; but readers count uses, and may lose one.
  @Nullable CachedBlock older;
  @Nullable CachedBlock newer;
  boolean inMain;
  int uses;

  /** How many blocks had been added to the cache with this one. */
  long added;

  CachedBlock(CachedContent content, long number, Slot slot) {
    this.content = content;
    this.number = number;
    this.slab = slot.slab();
    this.offset = slot.offset();
  }

  Slot slot() {
    return new Slot(slab, offset);
  }

  long hash() {
    return content.hash(number);
  }
}
