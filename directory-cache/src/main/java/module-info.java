// SPDX-License-Identifier: Apache-2.0
/** {@code BlockCacheDirectory}, which keeps blocks of files in memory outside the Java heap. */
module io.github.lucenedirectories.cache {
  requires transitive io.github.lucenedirectories.core;
  requires transitive org.apache.lucene.core;
  requires static org.jspecify;

  exports io.github.lucenedirectories.cache;

  provides io.github.lucenedirectories.internal.uri.DirectoryProvider with
      io.github.lucenedirectories.internal.cache.CacheProvider;
}
