// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Set;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/**
 * The durable storage behind a {@link RamDirectory}, or {@link #NONE}. All methods may be called
 * from any thread.
 */
interface Backing extends Closeable {

  boolean contains(String name) throws IOException;

  Set<String> names();

  /** Length of a file in bytes. */
  long length(String name) throws IOException;

  IndexInput open(String name, IOContext context) throws IOException;

  /** Called when a file is complete in memory. */
  void completed(String name, long length);

  /** Makes the bytes of files durable. */
  void sync(Collection<String> names) throws IOException;

  /** Renames a file; does nothing if there is none of that name. */
  void rename(String source, String dest) throws IOException;

  /** Makes the names of files durable. */
  void syncMetaData() throws IOException;

  /** Deletes a file; returns false if there is none of that name. */
  boolean delete(String name) throws IOException;

  /** Names of files whose deletion is pending. */
  Set<String> pendingDeletions() throws IOException;

  /** Ends background writes; nothing is written after this returns. */
  @Override
  void close() throws IOException;

  /** Makes nothing durable. */
  Backing NONE =
      new Backing() {
        @Override
        public boolean contains(String name) {
          return false;
        }

        @Override
        public Set<String> names() {
          return Set.of();
        }

        @Override
        public long length(String name) throws IOException {
          throw new NoSuchFileException(name);
        }

        @Override
        public IndexInput open(String name, IOContext context) throws IOException {
          throw new NoSuchFileException(name);
        }

        @Override
        public void completed(String name, long length) {}

        @Override
        public void sync(Collection<String> names) {}

        @Override
        public void rename(String source, String dest) {}

        @Override
        public void syncMetaData() {}

        @Override
        public boolean delete(String name) {
          return false;
        }

        @Override
        public Set<String> pendingDeletions() {
          return Set.of();
        }

        @Override
        public void close() {}
      };

  /** Whether an exception says that a file does not exist. */
  static boolean saysMissing(IOException e) {
    return e instanceof NoSuchFileException || e instanceof FileNotFoundException;
  }
}
