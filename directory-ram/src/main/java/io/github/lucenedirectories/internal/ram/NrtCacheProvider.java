package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** {@code nrt:} and the directory below. */
public final class NrtCacheProvider implements DirectoryProvider {

  private static final double MEGABYTE = 1 << 20;
  private static final long MERGE_BYTES = 5 << 20;
  private static final long CACHED_BYTES = 60 << 20;

  @Override
  public String name() {
    return "nrt";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    AtomicLong mergeBytes = new AtomicLong(MERGE_BYTES);
    AtomicLong cachedBytes = new AtomicLong(CACHED_BYTES);
    options.bytes("maxMergeSize", mergeBytes::set);
    options.bytes("maxCached", cachedBytes::set);
    Opener below = options.directory();
    return () -> {
      Directory delegate = below.open();
      try {
        return new NrtCacheDirectory(
            delegate, mergeBytes.get() / MEGABYTE, cachedBytes.get() / MEGABYTE);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(delegate);
        throw e;
      }
    };
  }
}
