package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import org.apache.lucene.util.IOUtils;

/** {@code cached:} and the directory below, with a cache of its own. */
public final class BlockCacheProvider implements DirectoryProvider {

  @Override
  public String name() {
    return "cached";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    BlockCache.Builder builder = BlockCache.builder();
    options.bytes("cache", builder::maxBytes);
    options.intBytes("cacheBlock", builder::blockBytes);
    options.constant("cacheHugePages", HugePages.class, builder::hugePages);
    Opener below = options.directory();
    return () -> {
      // First the cache, which refuses invalid options before the directory below makes a folder.
      BlockCache cache = builder.build();
      try {
        return new Owning(new BlockCacheDirectory(below.open(), cache), cache);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(cache);
        throw e;
      }
    };
  }
}
