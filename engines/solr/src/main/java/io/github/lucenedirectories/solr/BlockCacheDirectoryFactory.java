// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.opentelemetry.api.common.Attributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;
import org.apache.solr.metrics.SolrMetricsContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link BlockCacheDirectory}s over {@link NioDirectory}s, which share one {@link BlockCache}
 * of the process: for an index larger than memory on slow storage.
 *
 * <p>Option {@code cacheMB} (256): the size of the cache, which must be the same in all cores. The
 * cache is freed when the last core that uses it is closed.
 */
public final class BlockCacheDirectoryFactory extends FolderDirectoryFactory {

  private static final double DEFAULT_MB = 256;

  private long cacheBytes;
  private @Nullable BlockCache cache;

  /** Called by Solr. */
  public BlockCacheDirectoryFactory() {}

  @Override
  void configure(Options options) {
    cacheBytes = (long) (options.megabytes("cacheMB", DEFAULT_MB) * (1 << 20));
  }

  @Override
  protected synchronized Directory create(String path, LockFactory locks) throws IOException {
    BlockCache shared = cache;
    if (shared == null) {
      shared = SharedCache.acquire(cacheBytes);
      cache = shared;
    }
    NioDirectory files = new NioDirectory(Path.of(path), locks);
    try {
      return new BlockCacheDirectory(files, shared);
    } catch (RuntimeException e) {
      IOUtils.closeWhileHandlingException(files);
      throw e;
    }
  }

  /** Returns the directory as it is: its files must change through the cache alone. */
  @Override
  protected Directory filterDirectory(Directory directory, DirContext context) {
    return directory;
  }

  @Override
  void addMetrics(SolrMetricsContext context, Attributes attributes) {
    context.observableLongCounter(
        "solr_core_directory_cache_lookups",
        "Reads from the block cache of the process, by whether the block was there",
        measurement -> {
          BlockCache shared = cache;
          if (shared != null) {
            Map<String, Double> metrics = shared.metrics();
            measurement.record(
                metrics.getOrDefault("cache.hits", 0.0).longValue(),
                attributes.toBuilder().put(RESULT_ATTR, "hit").build());
            measurement.record(
                metrics.getOrDefault("cache.misses", 0.0).longValue(),
                attributes.toBuilder().put(RESULT_ATTR, "miss").build());
          }
        });
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      synchronized (this) {
        if (cache != null) {
          cache = null;
          SharedCache.release();
        }
      }
    }
  }
}
