// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The content of a file, from the creation of its name to the deletion. The next file of that name
 * is a new content, so it never sees the blocks of this one.
 */
final class CachedContent {

  /** Counters of the files of one kind in a cache. Any thread may count, without a lock. */
  static final class KindCounters {
    final LongAdder hits = new LongAdder();
    final LongAdder misses = new LongAdder();
    final LongAdder fetchedBytes = new LongAdder();
    final LongAdder passedBytes = new LongAdder();
    final LongAdder evictions = new LongAdder();
  }

  private static final AtomicLong NUMBERS = new AtomicLong();

  /** Length of the file in bytes. */
  final long length;

  final KindCounters kind;

  /** Open inputs, and one for the name until it is deleted. */
  final AtomicInteger users = new AtomicInteger(1);

  /** The fetches in progress by block: other threads that want the block wait for them. */
  final ConcurrentHashMap<Long, CompletableFuture<Void>> fetches = new ConcurrentHashMap<>(1);

  /** Set when no more blocks are to be cached; guarded by the cache's lock. */
  boolean dropped;

  private final long seed = mix(NUMBERS.incrementAndGet());

  CachedContent(long length, KindCounters kind) {
    this.length = length;
    this.kind = kind;
  }

  /** A hash in which every bit depends on the file and the block. */
  long hash(long block) {
    return mix(seed + block);
  }

  private static long mix(long key) {
    long h = (key ^ (key >>> 32)) * 0x9E37_79B9_7F4A_7C15L;
    h = (h ^ (h >>> 29)) * 0xBF58_476D_1CE4_E5B9L;
    return h ^ (h >>> 32);
  }
}
