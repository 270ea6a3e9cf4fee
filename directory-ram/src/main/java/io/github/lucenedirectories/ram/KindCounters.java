package io.github.lucenedirectories.ram;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the files of one kind in a cache. Any thread may count, without a lock. */
final class KindCounters {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder fetchedBytes = new LongAdder();
  final LongAdder passedBytes = new LongAdder();
  final LongAdder evictions = new LongAdder();

  BlockCacheStatistics.Kind read() {
    return new BlockCacheStatistics.Kind(
        hits.sum(), misses.sum(), fetchedBytes.sum(), passedBytes.sum(), evictions.sum());
  }
}
