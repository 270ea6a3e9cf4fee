// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file, from the creation of its name to the deletion. The next file of that name
 * is a new content with another number, so it never sees the blocks of this one.
 */
final class CachedContent {

  /** Low bits of a key, for the number of the block; the upper bits are the content's number. */
  private static final int BLOCK_BITS = 28;

  private static final long MOST_NUMBERS = 1L << (Long.SIZE - BLOCK_BITS - 1);

  /** Counters of the files of one kind in a cache. Any thread may count, without a lock. */
  static final class KindCounters {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder fetchedBytes = new LongAdder();
    final LongAdder passedBytes = new LongAdder();
    final LongAdder evictions = new LongAdder();
  }

  private final long number;
  final String name;
  final KindCounters kind;

  /** The slots with blocks of this content; guarded by the cache's lock. */
  final SlotList slots;

  /** Set when no more blocks are to be cached; guarded by the cache's lock. */
  boolean dropped;

  /** Number of open inputs; guarded by the {@link ContentTable}. */
  int users;

  /** Set when no more inputs will be opened; guarded by the {@link ContentTable}. */
  boolean ended;

  /** Length in bytes, null until an input was opened; guarded by the {@link ContentTable}. */
  @Nullable Long length;

  CachedContent(long number, String name, KindCounters kind, SlotList slots) {
    this.number = number;
    this.name = name;
    this.kind = kind;
    this.slots = slots;
  }

  /**
   * Whether the blocks up to the given one have keys; a file of 1 TiB or more may have too many.
   */
  boolean hasKey(long block) {
    return (block >>> BLOCK_BITS) == 0 && number < MOST_NUMBERS;
  }

  /** Identifies a block among all contents of a cache. */
  long key(long block) {
    return (number << BLOCK_BITS) | block;
  }
}
