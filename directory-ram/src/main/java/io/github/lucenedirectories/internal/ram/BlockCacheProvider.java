package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import java.io.Closeable;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** {@code cached:} and the directory below, with a cache of its own. */
public final class BlockCacheProvider implements DirectoryProvider {

  /** Called by the service loader. */
  public BlockCacheProvider() {}

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
      Directory delegate = below.open();
      Closeable cache = null;
      try {
        BlockCache blocks = builder.build();
        cache = blocks;
        return new Owning(new BlockCacheDirectory(delegate, blocks), blocks);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(delegate, cache);
        throw e;
      }
    };
  }
}
