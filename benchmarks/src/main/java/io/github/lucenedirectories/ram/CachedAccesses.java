package io.github.lucenedirectories.ram;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A block cache without files: what is not in it is put in at once. For measuring alone. */
public final class CachedAccesses implements Closeable {

  private final BlockCache cache;
  private final CachePartition partition;
  private final List<CachedContent> files = new ArrayList<>();
  private final byte[] block;

  /**
   * An empty cache.
   *
   * @param files how many there are
   */
  public CachedAccesses(int blocks, int blockBytes, int files) throws IOException {
    cache =
        BlockCache.builder().maxBytes((long) blocks * blockBytes).blockBytes(blockBytes).build();
    partition = cache.partition(cache.maxBytes());
    for (int i = 0; i < files; i++) {
      this.files.add(cache.newContent("_" + i + ".dat", partition));
    }
    block = new byte[blockBytes];
  }

  /** Copies the beginning of a block; returns whether it was in the cache. */
  public boolean read(int file, long number, byte[] target) {
    CachedContent content = files.get(file);
    if (cache.blocks().read(content, number, 0, target, 0, target.length)) {
      content.kind.hits.increment();
      return true;
    }
    cache.blocks().put(content, number, block, block.length);
    return false;
  }

  @Override
  public void close() {
    cache.close();
  }
}
