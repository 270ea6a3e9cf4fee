package io.github.lucenedirectories.benchmarks.directories;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;

/**
 * What a fork has to know to make a directory.
 *
 * @param directory the label
 * @param metered whether the directory's own time is measured
 * @param folder where its files go; nothing else does
 */
public record WritableSpec(String directory, boolean metered, CacheSize cache, String folder) {

  /**
   * A new, empty directory. The caller closes it.
   *
   * @param name of its folder inside the fork's, not used before
   */
  public Directory create(String name) throws IOException {
    return WritableDirectory.named(directory).create(Path.of(folder, name), cache);
  }
}
