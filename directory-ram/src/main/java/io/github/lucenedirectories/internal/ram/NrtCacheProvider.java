package io.github.lucenedirectories.internal.ram;

import io.github.lucenedirectories.DirectoryOptions;
import io.github.lucenedirectories.DirectoryProvider;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;

/** {@code nrt:} and the directory below. */
public final class NrtCacheProvider implements DirectoryProvider {

  private static final double MEGABYTE = 1 << 20;
  private static final long MERGE_BYTES = 5 << 20;
  private static final long CACHED_BYTES = 60 << 20;

  /** Called by the service loader. */
  public NrtCacheProvider() {}

  @Override
  public String name() {
    return "nrt";
  }

  @Override
  public Opener configure(DirectoryOptions options) {
    long[] most = {MERGE_BYTES, CACHED_BYTES};
    options.bytes("maxMergeSize", bytes -> most[0] = bytes);
    options.bytes("maxCached", bytes -> most[1] = bytes);
    Opener below = options.directory();
    return () -> {
      Directory delegate = below.open();
      try {
        return new NrtCacheDirectory(delegate, most[0] / MEGABYTE, most[1] / MEGABYTE);
      } catch (Throwable e) {
        IOUtils.closeWhileHandlingException(delegate);
        throw e;
      }
    };
  }
}
