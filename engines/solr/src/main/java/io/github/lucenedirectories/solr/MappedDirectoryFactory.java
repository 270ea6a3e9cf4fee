// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.mmap.MappedDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;

/**
 * Makes {@link MappedDirectory}s: for an index that fits in memory.
 *
 * <p>Option {@code preload}: extensions of files that are loaded into memory when they are opened,
 * separated by commas, or {@code *} for all; none by default.
 */
public final class MappedDirectoryFactory extends FolderDirectoryFactory {

  private Set<String> preload = Set.of();

  /** Called by Solr. */
  public MappedDirectoryFactory() {}

  @Override
  void configure(Options options) {
    preload = Set.copyOf(options.names("preload"));
  }

  @Override
  protected Directory create(String path, LockFactory locks) throws IOException {
    return MappedDirectory.builder(Path.of(path)).lockFactory(locks).preload(preload).build();
  }
}
