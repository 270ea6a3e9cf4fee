package io.github.lucenedirectories.benchmarks.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.lucenedirectories.ram.CachedAccesses;
import java.io.IOException;

/** A trace given to a cache: how often it has the block, and how long that takes. */
final class CacheReplay {

  /** What a read of the index input takes at least. */
  private static final int COPIED_BYTES = 1 << 10;

  /** Recorded blocks in one, as a binary logarithm. */
  private final int shift;

  private final AccessTrace trace;
  private final int blockBytes;

  CacheReplay(AccessTrace trace, int blockBytes) {
    this.trace = trace;
    this.blockBytes = blockBytes;
    shift = Integer.numberOfTrailingZeros(blockBytes / AccessTrace.BLOCK_BYTES);
  }

  /**
   * What a replay gave.
   *
   * @param accesses how often the cache was asked
   * @param hitRate from 0 to 1
   * @param nanos for one access, the last time that the trace was replayed
   */
  record Replayed(long accesses, double hitRate, double nanos) {}

  /** One access: returns whether the block was there. */
  private interface Accessed {
    boolean read(int file, long block, byte[] target);
  }

  int distinctBlocks() {
    return trace.distinctBlocks(shift);
  }

  /** Replays on our cache, from empty. */
  Replayed ours(int blocks, int rounds) throws IOException {
    try (CachedAccesses cache = new CachedAccesses(blocks, blockBytes, trace.files())) {
      return replay(cache::read, rounds);
    }
  }

  /** Replays on Caffeine with the same number of blocks, each an array on the heap. */
  Replayed caffeine(int blocks, int rounds) {
    Cache<Long, byte[]> cache =
        Caffeine.newBuilder().maximumSize(blocks).executor(Runnable::run).build();
    return replay(
        (file, block, target) -> {
          Long key = ((long) file << 32) | block;
          byte[] found = cache.getIfPresent(key);
          if (found == null) {
            cache.put(key, new byte[COPIED_BYTES]);
            return false;
          }
          System.arraycopy(found, 0, target, 0, target.length);
          return true;
        },
        rounds);
  }

  private Replayed replay(Accessed cache, int rounds) {
    byte[] target = new byte[COPIED_BYTES];
    long accesses = 0;
    long hits = 0;
    double nanos = 0;
    for (int round = 0; round < rounds; round++) {
      accesses = 0;
      hits = 0;
      long last = -1;
      long start = System.nanoTime();
      for (int i = 0; i < trace.size(); i++) {
        long block = trace.block(i) >>> shift;
        if (block == last && trace.goesOn(i)) {
          continue;
        }
        last = block;
        accesses++;
        if (cache.read(trace.file(i), block, target)) {
          hits++;
        }
      }
      nanos = (double) (System.nanoTime() - start) / Math.max(1, accesses);
    }
    return new Replayed(accesses, (double) hits / Math.max(1, accesses), nanos);
  }
}
