// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.cache.BlockCache;
import java.io.IOException;
import org.apache.solr.common.SolrException;
import org.jspecify.annotations.Nullable;

/** The one block cache of the process; it is there while factories use it. */
final class SharedCache {

  private static @Nullable BlockCache cache;
  private static long cacheBytes;
  private static int users;

  private SharedCache() {}

  /** Returns the cache, made of the given size by its first user. */
  static synchronized BlockCache acquire(long bytes) throws IOException {
    BlockCache shared = cache;
    if (shared == null) {
      shared = BlockCache.builder().maxBytes(bytes).build();
      cache = shared;
      cacheBytes = bytes;
    } else if (cacheBytes != bytes) {
      throw new SolrException(
          SolrException.ErrorCode.SERVER_ERROR,
          "the cores of this process share one block cache, which has cacheMB="
              + (cacheBytes >> 20)
              + " already: set the same cacheMB in the solrconfig.xml of each core, not "
              + (bytes >> 20));
    }
    users++;
    return shared;
  }

  /** The last user's release frees the memory. */
  static synchronized void release() {
    users--;
    if (users == 0 && cache != null) {
      cache.close();
      cache = null;
    }
  }
}
