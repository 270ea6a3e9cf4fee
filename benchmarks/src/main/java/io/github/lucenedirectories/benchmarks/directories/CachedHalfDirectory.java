package io.github.lucenedirectories.benchmarks.directories;

import java.io.IOException;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.NRTCachingDirectory;

/**
 * Lucene's NRTCachingDirectory with some files of an existing index in its cache, as if they had
 * just been flushed. The index itself is never written: on close the cached copies are dropped,
 * where Lucene's class would write them back.
 */
final class CachedHalfDirectory extends NRTCachingDirectory {
  private static final double UNLIMITED_MEGABYTES = 1 << 20;

  /* So small that the cache takes it. */
  private static final IOContext SMALL_FLUSH = IOContext.flush(new FlushInfo(1, 1));

  CachedHalfDirectory(Directory files, Set<String> cached) throws IOException {
    super(new ReadOnlyDirectory(files), UNLIMITED_MEGABYTES, UNLIMITED_MEGABYTES);
    CommitFiles.copy(files, cached, this, SMALL_FLUSH);
  }

  @Override
  public void close() throws IOException {
    for (String name : listCachedFiles()) {
      deleteFile(name);
    }
    super.close();
  }
}
