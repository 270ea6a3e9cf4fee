// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.variants.Variant.Storage;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;
import org.apache.lucene.store.Directory;

/** Positional reads through a block cache of its own, with the cache's hit rate as a figure. */
public final class CachedDirectory extends OwningDirectory {
  private static final String NAME = "BlockCacheDirectory";

  /** Of the index: the last block of each file is not full. */
  private static final double SHARE = 1.1;

  /** Of the memory that a page cache would have. */
  private static final double SHARE_OF_MEMORY = 0.4;

  private static final List<Integer> BLOCK_KIB = List.of(4, 16, 64);
  private static final List<Integer> PERCENTS = List.of(10, 25, 50);

  private final BlockCache cache;
  private double hits;
  private double misses;

  private CachedDirectory(Directory files, BlockCache cache) {
    super(new BlockCacheDirectory(files, cache), cache);
    this.cache = cache;
  }

  /** The usual one, and those with other blocks and caches. */
  static List<Variant> variants() {
    List<Variant> all = new ArrayList<>();
    // A cache that the whole index fits in, or as large as the memory allows.
    all.add(
        variant(
            NAME,
            0,
            BlockCache.builder(),
            bytes ->
                (long)
                    Math.min(SHARE * bytes, SHARE_OF_MEMORY * AvailableMemory.pageCacheBytes())));
    for (int kib : BLOCK_KIB) {
      for (int percent : PERCENTS) {
        double share = percent / 100.0;
        all.add(
            variant(
                NAME + "-" + kib + "KiB-" + percent + "%",
                share,
                BlockCache.builder().blockBytes(kib << 10),
                bytes -> (long) Math.ceil(share * bytes)));
      }
    }
    return all;
  }

  private static Variant variant(
      String name, double share, BlockCache.Builder cache, LongUnaryOperator capacityBytes) {
    return Variant.of(name, Storage.FILES, (folder, _) -> new NioDirectory(folder))
        .reading(share, (index, _) -> open(index, cache, capacityBytes))
        .offeredFor(Use.SEARCH);
  }

  private static Directory open(
      Path index, BlockCache.Builder cache, LongUnaryOperator capacityBytes) throws IOException {
    Directory files = new NioDirectory(index);
    try {
      long bytes = capacityBytes.applyAsLong(LastCommit.bytes(files));
      return new CachedDirectory(files, cache.maxBytes(bytes).build());
    } catch (Throwable t) {
      try (files) {
        throw t;
      }
    }
  }

  /** The hit rate since the last call, unless nothing was read; then it begins again. */
  public synchronized Map<String, Double> takeFigures() {
    double nowHits = cache.metrics().getOrDefault("cache.hits", 0.0);
    double nowMisses = cache.metrics().getOrDefault("cache.misses", 0.0);
    double found = nowHits - hits;
    double reads = found + nowMisses - misses;
    hits = nowHits;
    misses = nowMisses;
    return reads == 0 ? Map.of() : Map.of("hit rate", found / reads);
  }
}
