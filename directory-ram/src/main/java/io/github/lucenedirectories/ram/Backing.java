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
 * Where the files of a {@link RamDirectory} outlive it. All methods may be called from any thread.
 */
interface Backing extends Closeable {

  /** Whether it has a file of that name. */
  boolean contains(String name);

  /** The names of its files. */
  Set<String> names();

  /** The length of one of its files, in bytes. */
  long length(String name) throws IOException;

  /** Opens one of its files. */
  IndexInput open(String name, IOContext context) throws IOException;

  /** Hears that a file is complete in memory. */
  void completed(String name, long length);

  /** Makes the bytes of files durable. */
  void sync(Collection<String> names) throws IOException;

  /** Gives a file another name, if it has it. */
  void rename(String source, String dest) throws IOException;

  /** Makes the names of files durable. */
  void syncMetaData() throws IOException;

  /** Deletes a file; false if it has none of that name. */
  boolean delete(String name) throws IOException;

  /** Names whose deletion waits. */
  Set<String> pendingDeletions() throws IOException;

  /** Ends what runs in the background; nothing is written any more. */
  @Override
  void close() throws IOException;

  /** Nothing outlives the directory. */
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
