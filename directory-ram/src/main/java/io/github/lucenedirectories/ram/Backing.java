// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Set;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * The durable storage behind a {@link RamDirectory}; by default there is none. All methods may be
 * called from any thread.
 */
interface Backing extends Closeable {

  /** Makes nothing durable. */
  Backing NONE = new Backing() {};

  /** Whether it has a file, complete or not. */
  default boolean contains(String name) throws IOException {
    return false;
  }

  default Set<String> names() {
    return Set.of();
  }

  /** Length of a file in bytes. */
  default long length(String name) throws IOException {
    throw new NoSuchFileException(name);
  }

  default IndexInput open(String name, IOContext context) throws IOException {
    throw new NoSuchFileException(name);
  }

  /** Makes the bytes of files durable. */
  default void sync(Collection<String> names) throws IOException {}

  /** Renames a file; does nothing if there is none of that name. */
  default void rename(String source, String dest) throws IOException {}

  /** Makes the names of files durable. */
  default void syncMetaData() throws IOException {}

  /** Deletes a file; returns false if there is none of that name. */
  default boolean delete(String name) throws IOException {
    return false;
  }

  /** Names of files whose deletion is pending. */
  default Set<String> pendingDeletions() throws IOException {
    return Set.of();
  }

  /** Lets another directory use the storage. Called when reads of the files in memory fail. */
  @Override
  default void close() throws IOException {}
}
