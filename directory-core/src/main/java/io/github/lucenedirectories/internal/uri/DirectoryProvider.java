// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.uri;

import java.util.Map;
import java.util.function.Function;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOSupplier;

/** A module's kinds of directories for URIs, found by {@link java.util.ServiceLoader}. */
@FunctionalInterface
public interface DirectoryProvider {

  /**
   * The kinds by their names in URIs. Each reads all its options, and the folder or the directory
   * below, and returns what opens the directory.
   */
  Map<String, Function<UriOptions, IOSupplier<Directory>>> kinds();
}
