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
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.store.Directory;

/** Positional reads through a block cache of its own, with the cache's hit rate as a figure. */
public final class CachedDirectory extends OwningDirectory {
  static final String NAME = "BlockCacheDirectory";

  /** Of the index: the last block of each file is not full. */
  private static final double SHARE = 1.1;

  /** Of the memory that a page cache would have. */
  private static final double SHARE_OF_MEMORY = 0.4;

  private static final Pattern SIZED =
      Pattern.compile(NAME + "\\[(\\d{1,3})KiB,(\\d{1,3})%]", Pattern.CASE_INSENSITIVE);
  private static final int LEAST_KIB = 4;
  private static final int MOST_KIB = 256;
  private static final int ALL = 100;

  private final BlockCache cache;
  private double hits;
  private double misses;

  private CachedDirectory(Directory files, BlockCache cache) {
    super(new BlockCacheDirectory(files, cache), cache);
    this.cache = cache;
  }

  /** Through a cache that the whole index fits in, or as large as the memory allows. */
  static Directory open(Path index) throws IOException {
    try (Directory files = new NioDirectory(index)) {
      long bytes = capacityBytes(LastCommit.bytes(files), AvailableMemory.pageCacheBytes());
      return open(index, BlockCache.builder().maxBytes(bytes));
    }
  }

  private static Directory open(Path index, BlockCache.Builder cache) throws IOException {
    Directory files = new NioDirectory(index);
    try {
      return new CachedDirectory(files, cache.build());
    } catch (Throwable t) {
      try (files) {
        throw t;
      }
    }
  }

  /**
   * How much the cache of an index holds.
   *
   * @param pageCacheBytes what a page cache would have
   */
  public static long capacityBytes(long indexBytes, long pageCacheBytes) {
    return Math.min((long) (SHARE * indexBytes), (long) (SHARE_OF_MEMORY * pageCacheBytes));
  }

  /** Whether a name says the size of the cache. */
  static boolean isSized(String name) {
    return name.regionMatches(true, 0, NAME + "[", 0, NAME.length() + 1);
  }

  /**
   * The variant of a name with the size of the cache, such as {@code
   * BlockCacheDirectory[16KiB,25%]}.
   *
   * @throws IllegalArgumentException if a cache cannot have this size
   */
  static Variant sized(String name) {
    Matcher matcher = SIZED.matcher(name);
    int blockKiB = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
    int percent = blockKiB == 0 ? 0 : Integer.parseInt(matcher.group(2));
    if (Integer.bitCount(blockKiB) != 1
        || blockKiB < LEAST_KIB
        || blockKiB > MOST_KIB
        || percent < 1
        || percent > ALL) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "unknown directory '%s': write %s[16KiB,25%%], with blocks of %d to %d KiB (a power"
                  + " of two) and a cache of 1 to %d percent of the index",
              name,
              NAME,
              LEAST_KIB,
              MOST_KIB,
              ALL));
    }
    double share = (double) percent / ALL;
    return Variant.of(
            NAME + "[" + blockKiB + "KiB," + percent + "%]",
            Storage.FILES,
            (folder, _) -> new NioDirectory(folder))
        .reading(
            share,
            (index, _) -> {
              try (Directory files = new NioDirectory(index)) {
                return open(
                    index,
                    BlockCache.builder()
                        .blockBytes(blockKiB << 10)
                        .maxBytes((long) Math.ceil(share * LastCommit.bytes(files))));
              }
            })
        .offeredFor(Use.SEARCH);
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
