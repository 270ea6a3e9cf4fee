// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;

/**
 * Makes {@link HybridDirectory}s: for most cores.
 *
 * <p>Options {@code mapped}, {@code mappedRandom} and {@code positional}: extensions of files that
 * are always read in this way (see {@link AccessMode}), separated by commas. By default the
 * directory follows the memory.
 */
public final class HybridDirectoryFactory extends FolderDirectoryFactory {

  private final Map<AccessMode, List<String>> modes = new EnumMap<>(AccessMode.class);

  /** Called by Solr. */
  public HybridDirectoryFactory() {}

  @Override
  void configure(Options options) {
    modes.put(AccessMode.MAPPED, options.names("mapped"));
    modes.put(AccessMode.MAPPED_RANDOM, options.names("mappedRandom"));
    modes.put(AccessMode.POSITIONAL, options.names("positional"));
  }

  @Override
  protected Directory create(String path, LockFactory locks) throws IOException {
    HybridDirectory.Builder builder = HybridDirectory.builder(Path.of(path)).lockFactory(locks);
    modes.forEach((mode, names) -> names.forEach(name -> builder.read(name, mode)));
    return builder.build();
  }
}
