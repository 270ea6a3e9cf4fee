// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

import java.util.Map;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** Kinds of directories for {@link LuceneDirectories}, found by {@link java.util.ServiceLoader}. */
public interface DirectoryProvider {

  /** The kinds by their names in URIs. */
  Map<String, Kind> kinds();

  /** A kind of directories. */
  @FunctionalInterface
  interface Kind {

    /** Reads all options, and the folder or the directory below; what it returns opens them. */
    IOSupplier<? extends Directory> configure(DirectoryOptions options);
  }
}
