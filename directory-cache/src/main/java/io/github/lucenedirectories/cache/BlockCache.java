// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.cache;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.cache.CachedContent.KindCounters;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import java.io.Closeable;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;

/**
 * Blocks of files in memory outside the Java heap, shared by any number of {@link
 * BlockCacheDirectory}s.
 *
 * <p>It allocates memory up to its capacity, in steps as blocks are cached, and about 80 bytes of
 * heap for each block. When it is full, blocks that were not read again are evicted first, so one
 * scan of a large file does not evict the hot set. A hit takes no lock and allocates nothing.
 *
 * <p>Close the cache after its directories; directories that are still open then bypass it. All
 * methods may be called from any thread.
 */
public final class BlockCache implements Closeable, MetricSource {

  /** Default length of a block in bytes. */
  static final int DEFAULT_BLOCK_BYTES = 1 << 14;

  private static final String OTHER = "other";
  private static final int LEAST_BLOCK_BYTES = 1 << 12;
  private static final int MOST_BLOCK_BYTES = 1 << 18;

  private final int blockBytes;
  private final int slotCount;
  private final CacheMemory memory;
  private final CachedBlocks blocks;
  private final Map<String, KindCounters> kinds =
      new ConcurrentHashMap<>(Map.of(OTHER, new KindCounters()));

  private BlockCache(int slotCount, int blockBytes, HugePages hugePages) throws IOException {
    this.blockBytes = blockBytes;
    this.slotCount = slotCount;
    memory = new CacheMemory(slotCount, blockBytes, hugePages);
    blocks = new CachedBlocks(slotCount, memory);
  }

  /** Returns a builder; its methods name the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Length of a block in bytes. */
  public int blockBytes() {
    return blockBytes;
  }

  /** Capacity in bytes of blocks. */
  public long maxBytes() {
    return (long) slotCount * blockBytes;
  }

  /**
   * Reports the capacity and the bytes of cached blocks, where the last block of a file counts as a
   * full one; and by file extension, or {@code other} without one, the counters since the cache was
   * built: reads of a block, or of a part of it, that found it and that did not, blocks evicted for
   * others, bytes read into the cache, and bytes that merges and other readers of whole files read
   * past it.
   */
  @Override
  public void report(Sink sink) {
    sink.gauge("cache.max.bytes", maxBytes());
    sink.gauge("cache.used.bytes", (long) blocks.held() * blockBytes);
    kinds.forEach(
        (name, kind) -> {
          sink.counter("cache.hits", name, kind.hits.doubleValue());
          sink.counter("cache.misses", name, kind.misses.doubleValue());
          sink.counter("cache.evictions", name, kind.evictions.doubleValue());
          sink.counter("cache.fetched.bytes", name, kind.fetchedBytes.doubleValue());
          sink.counter("cache.passed.bytes", name, kind.passedBytes.doubleValue());
        });
  }

  void ensureOpen() {
    if (blocks.isClosed()) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  CachedContent newContent(String name, long length) {
    String extension = IndexFileNames.getExtension(name);
    return new CachedContent(
        length,
        kinds.computeIfAbsent(extension == null ? OTHER : extension, _ -> new KindCounters()));
  }

  /** Ends a use of a content; the last one frees its blocks. */
  void release(CachedContent content) {
    if (content.users.decrementAndGet() == 0) {
      blocks.drop(content, Math.ceilDiv(content.length, blockBytes));
    }
  }

  CachedBlocks blocks() {
    return blocks;
  }

  /** Frees the memory. */
  @Override
  public void close() {
    blocks.close();
  }

  /** Names the capacity, the block length and how memory is obtained. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "BlockCache(maxBytes=%s blockBytes=%s memory=%s)",
        maxBytes(),
        blockBytes,
        memory.description());
  }

  /** Options of a {@link BlockCache}. */
  public static final class Builder {

    /** Most slots: the table of blocks is an array of up to four times as many. */
    private static final long MOST_SLOTS = 1L << 28;

    private long maxBytes = AvailableMemory.defaultMaxBytes() / 2;
    private int blockBytes = DEFAULT_BLOCK_BYTES;
    private HugePages hugePages = HugePages.TRY;

    private Builder() {}

    /**
     * Capacity in bytes of blocks; by default half of the memory that the machine or the container
     * has outside the Java heap.
     */
    public Builder maxBytes(long bytes) {
      maxBytes = bytes;
      return this;
    }

    /**
     * Length of a block, the unit of reads from the other directory; by default {@value
     * BlockCache#DEFAULT_BLOCK_BYTES}.
     *
     * @param bytes a power of two from 4,096 to 262,144
     */
    public Builder blockBytes(int bytes) {
      blockBytes = bytes;
      return this;
    }

    /** Whether the memory lies in huge pages; by default it does where the system provides them. */
    public Builder hugePages(HugePages pages) {
      hugePages = pages;
      return this;
    }

    /**
     * Builds the cache.
     *
     * @throws IllegalArgumentException if an option is out of range
     * @throws IOException if huge pages are required but unavailable
     */
    public BlockCache build() throws IOException {
      if (blockBytes < LEAST_BLOCK_BYTES
          || blockBytes > MOST_BLOCK_BYTES
          || Integer.bitCount(blockBytes) != 1) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "blockBytes must be a power of two from %s to %s: blockBytes=%s",
                LEAST_BLOCK_BYTES,
                MOST_BLOCK_BYTES,
                blockBytes));
      }
      long slots = maxBytes / blockBytes;
      if (slots < 1 || slots > MOST_SLOTS) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "maxBytes must be from one block to %s blocks: maxBytes=%s, blockBytes=%s",
                MOST_SLOTS,
                maxBytes,
                blockBytes));
      }
      return new BlockCache((int) slots, blockBytes, hugePages);
    }
  }
}
