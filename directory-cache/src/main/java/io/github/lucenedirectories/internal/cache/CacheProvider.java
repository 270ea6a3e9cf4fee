// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.cache;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** {@code cached:} and the directory below. */
public final class CacheProvider implements DirectoryProvider {

  @Override
  public Map<String, Kind> kinds() {
    return Map.of("cached", CacheProvider::cached);
  }

  private static IOSupplier<Directory> cached(DirectoryOptions options) {
    BlockCache.Builder builder = BlockCache.builder();
    options.set("cache", Long.class, builder::maxBytes);
    options.set("cacheBlock", Long.class, bytes -> builder.blockBytes(Math.toIntExact(bytes)));
    options.set("cacheHugePages", HugePages.class, builder::hugePages);
    IOSupplier<Directory> below = options.directory();
    return () -> {
      // First the cache, which refuses invalid options before the directory below makes a folder.
      BlockCache cache = options.closeLater(builder.build());
      return new BlockCacheDirectory(below.get(), cache);
    };
  }
}
