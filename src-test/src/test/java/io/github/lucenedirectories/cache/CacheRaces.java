// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import static io.github.lucenedirectories.schedules.Race.BYTES;
import static io.github.lucenedirectories.schedules.Race.filled;
import static io.github.lucenedirectories.schedules.Race.readOrClosed;
import static io.github.lucenedirectories.schedules.Race.requireOne;
import static org.junit.Assert.assertEquals;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.schedules.Race;
import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.util.IOConsumer;

/** Races for the blocks of a cache with one slot. */
public final class CacheRaces {

  private static final int BLOCK_BYTES = 1 << 12;

  private CacheRaces() {}

  private static void inCache(IOConsumer<BlockCache> race) throws IOException {
    try (BlockCache cache =
        BlockCache.builder()
            .blockBytes(BLOCK_BYTES)
            .maxBytes(BLOCK_BYTES)
            .hugePages(HugePages.NEVER)
            .build()) {
      race.accept(cache);
    }
  }

  private static void put(BlockCache cache, CachedContent content, int block, int value) {
    cache.blocks().put(content, block, filled(value), BYTES);
  }

  private static void read(BlockCache cache, CachedContent content, int block, int value) {
    byte[] bytes = new byte[BYTES];
    if (cache.blocks().read(content, block, 0, bytes, 0, BYTES)) {
      requireOne(bytes, value);
    }
  }

  /** A block is evicted while others read it and the one that takes its slot. */
  public static void evictAndRead(int threads) throws IOException {
    inCache(
        cache -> {
          CachedContent content = cache.newContent("file", 2 * BLOCK_BYTES);
          put(cache, content, 0, 1);
          Race.run(
              threads,
              () -> put(cache, content, 1, 2),
              () -> read(cache, content, 0, 1),
              () -> read(cache, content, 1, 2));
          assertEquals("blocks", 1, cache.blocks().held());
        });
  }

  /** A file's blocks are released and their slot is used again, while others read and add some. */
  public static void releaseAndRead(int threads) throws IOException {
    inCache(
        cache -> {
          CachedContent content = cache.newContent("file", 2 * BLOCK_BYTES);
          CachedContent next = cache.newContent("next", BLOCK_BYTES);
          put(cache, content, 0, 1);
          Race.run(
              threads,
              () -> {
                cache.release(content);
                put(cache, next, 0, 3);
              },
              () -> {
                read(cache, content, 0, 1);
                put(cache, content, 1, 2);
              },
              () -> read(cache, next, 0, 3));
          cache.release(next);
          assertEquals("blocks", 0, cache.blocks().held());
          // The slot is free once.
          put(cache, cache.newContent("last", BLOCK_BYTES), 0, 4);
          assertEquals("a slot is lost or there twice", 1, cache.blocks().held());
        });
  }

  /** An input is closed while clones of it miss the same block, which one of them fetches. */
  public static void closeAndRead(int threads) throws IOException {
    inCache(
        cache -> {
          try (Directory below = new ByteBuffersDirectory();
              Directory directory = new BlockCacheDirectory(below, cache)) {
            Race.write(below.createOutput("file", IOContext.DEFAULT), 1);
            IndexInput input = directory.openInput("file", IOContext.DEFAULT);
            IndexInput clone = input.clone();
            IndexInput slice = input.slice("slice", 0, BYTES);
            Race.run(
                threads, input::close, () -> readOrClosed(clone, 1), () -> readOrClosed(slice, 1));
            directory.deleteFile("file");
          }
          assertEquals("blocks", 0, cache.blocks().held());
        });
  }
}
