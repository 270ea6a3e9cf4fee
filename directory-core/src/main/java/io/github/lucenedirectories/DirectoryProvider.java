package io.github.lucenedirectories;

import java.io.IOException;
import org.apache.lucene.store.Directory;

/**
 * Makes directories of one kind for {@link LuceneDirectories#open}, which finds it by {@link
 * java.util.ServiceLoader}.
 */
public interface DirectoryProvider {

  /** The name in URIs: lower-case letters and digits. */
  String name();

  /**
   * Reads all options that the directory has, and the folder or the directory below; opens nothing.
   * An option that no provider asks for is an error.
   *
   * @throws IllegalArgumentException if an option is invalid
   */
  Opener configure(DirectoryOptions options);

  /** Opens a directory whose options are known. */
  @FunctionalInterface
  interface Opener {

    /**
     * Opens the directory, which closes all below it.
     *
     * @throws IllegalArgumentException if an option turns out to be invalid
     */
    Directory open() throws IOException;
  }
}
