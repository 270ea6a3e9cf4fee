// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.cache;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.uri.DirectoryProvider;
import io.github.lucenedirectories.internal.uri.UriOptions;
import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** {@code cached:} and the directory below. */
public final class CacheProvider implements DirectoryProvider {

  @Override
  public Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds() {
    return Map.of("cached", CacheProvider::cached);
  }

  private static IOSupplier<Directory> cached(UriOptions options) {
    BlockCache.Builder builder = BlockCache.builder();
    options.number("cache", builder::maxBytes);
    options.number("cacheBlock", bytes -> builder.blockBytes(Math.toIntExact(bytes)));
    options.constant("cacheHugePages", HugePages.class, builder::hugePages);
    IOSupplier<Directory> below = options.directory();
    return () -> {
      // First the cache, which refuses invalid options before the directory below makes a folder.
      BlockCache cache = options.closeLater(builder.build());
      return new BlockCacheDirectory(below.get(), cache);
    };
  }
}
