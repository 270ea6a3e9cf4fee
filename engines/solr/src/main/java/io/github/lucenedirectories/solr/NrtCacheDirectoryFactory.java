// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.util.IOUtils;

/**
 * Makes {@link NrtCacheDirectory}s over {@link MappedDirectory}s: for many soft commits.
 *
 * <p>Options {@code maxMergeSizeMB} (4) and {@code maxCachedMB} (48), as of Solr's {@code
 * NRTCachingDirectoryFactory}. The memory is outside the Java heap.
 */
public final class NrtCacheDirectoryFactory extends FolderDirectoryFactory {

  private double maxMergeSizeMB;
  private double maxCachedMB;

  /** Called by Solr. */
  public NrtCacheDirectoryFactory() {}

  @Override
  void configure(Options options) {
    maxMergeSizeMB = options.megabytes("maxMergeSizeMB", 4);
    maxCachedMB = options.megabytes("maxCachedMB", 48);
  }

  @Override
  protected Directory create(String path, LockFactory locks) throws IOException {
    MappedDirectory files = new MappedDirectory(Path.of(path), locks);
    try {
      return new NrtCacheDirectory(files, maxMergeSizeMB, maxCachedMB);
    } catch (RuntimeException e) {
      IOUtils.closeWhileHandlingException(files);
      throw e;
    }
  }

  /**
   * Moves a file, made durable first, by linking it into the other folder: both directories keep
   * account of their names. Copies it where the file system has no hard links.
   */
  @Override
  public void move(Directory from, Directory to, String name, IOContext context)
      throws IOException {
    from.sync(Set.of(name));
    // A name that a writer deletes if a crash leaves it there.
    String link = "_link_" + name + ".tmp";
    if (!link(from, name, to, link)) {
      moveByCopying(from, to, name, context);
      return;
    }
    try {
      to.rename(link, name);
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(to, link);
      throw t;
    }
    from.deleteFile(name);
  }

  private boolean link(Directory from, String name, Directory to, String link) {
    if (!(getBaseDir(from) instanceof FSDirectory source)
        || !(getBaseDir(to) instanceof FSDirectory target)) {
      return false;
    }
    try {
      Files.createLink(target.getDirectory().resolve(link), source.getDirectory().resolve(name));
      return true;
    } catch (IOException | UnsupportedOperationException _) {
      return false;
    }
  }
}
