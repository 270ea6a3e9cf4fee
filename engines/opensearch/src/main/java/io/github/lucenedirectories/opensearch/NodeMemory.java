// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.ram.RamBudget;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The block cache and the budget of memory that all shards of a node share. */
final class NodeMemory implements Closeable {

  private final long cacheBytes;
  private final RamBudget ram;
  private @Nullable BlockCache cache;

  NodeMemory(long cacheBytes, long ramBytes) {
    this.cacheBytes = cacheBytes;
    ram = new RamBudget(ramBytes);
  }

  RamBudget ram() {
    return ram;
  }

  /** Built for the first shard that reads through it. */
  synchronized BlockCache cache() throws IOException {
    if (cache == null) {
      cache = BlockCache.builder().maxBytes(cacheBytes).build();
    }
    return cache;
  }

  /** Empty as long as no shard reads through it. */
  synchronized Optional<BlockCache> cacheInUse() {
    return Optional.ofNullable(cache);
  }

  @Override
  public synchronized void close() {
    if (cache != null) {
      cache.close();
    }
  }
}
