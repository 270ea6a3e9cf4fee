// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;

/**
 * Makes {@link NioDirectory}s: for where files must not be mapped.
 *
 * <p>Option {@code blockBytes}: the bytes loaded by a random read, a power of two from 8 to 65536.
 */
public final class NioDirectoryFactory extends FolderDirectoryFactory {

  private int blockBytes;

  /** Called by Solr. */
  public NioDirectoryFactory() {}

  @Override
  void configure(Options options) {
    blockBytes = options.powerOfTwo("blockBytes", 1 << 3, 1 << 16, 0);
  }

  @Override
  protected Directory create(String path, LockFactory locks) throws IOException {
    NioDirectory.Builder builder = NioDirectory.builder(Path.of(path)).lockFactory(locks);
    return (blockBytes == 0 ? builder : builder.blockBytes(blockBytes)).build();
  }
}
