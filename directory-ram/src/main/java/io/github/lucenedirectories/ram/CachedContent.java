package io.github.lucenedirectories.ram;

import org.jspecify.annotations.Nullable;

/**
 * What a file of some name holds, from the name's creation to its deletion: the next file of that
 * name is another content with another number, so that it never meets the blocks of this one.
 */
final class CachedContent {

  /** Of the key of a block, the upper bits are the content's number and these the block's. */
  private static final int BLOCK_BITS = 28;

  private static final long MOST_NUMBERS = 1L << (Long.SIZE - BLOCK_BITS - 1);

  private final long number;
  final String name;
  final KindCounters kind;
  final CachePartition partition;

  /** The slots with blocks of this content; under the cache's lock. */
  final SlotList slots;

  /** Set when no block is to be cached any more; under the cache's lock. */
  boolean dropped;

  /** Inputs that are open; under the lock of the {@link ContentTable}. */
  int users;

  /** Set when no input will be opened any more; under the lock of the {@link ContentTable}. */
  boolean ended;

  /** In bytes, null until an input was opened; under the lock of the {@link ContentTable}. */
  @Nullable Long length;

  CachedContent(
      long number, String name, KindCounters kind, CachePartition partition, SlotList slots) {
    this.number = number;
    this.name = name;
    this.kind = kind;
    this.partition = partition;
    this.slots = slots;
  }

  /**
   * Whether the blocks up to the given one have keys: a file of a tebibyte or more may have none.
   */
  boolean hasKey(long block) {
    return (block >>> BLOCK_BITS) == 0 && number < MOST_NUMBERS;
  }

  /** Identifies a block among those of all contents of a cache. */
  long key(long block) {
    return (number << BLOCK_BITS) | block;
  }
}
