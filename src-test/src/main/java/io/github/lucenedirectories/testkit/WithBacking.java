package io.github.lucenedirectories.testkit;

import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;

/** A directory together with its backing, which it does not close itself. */
final class WithBacking extends FilterDirectory {

  private final Directory backing;

  private WithBacking(Directory directory, Directory backing) {
    super(directory);
    this.backing = backing;
  }

  /** Options for a directory over a backing. */
  @FunctionalInterface
  interface Options {
    RamDirectory.Builder over(Directory backing);
  }

  /** Opens a directory over a backing that is closed with it. */
  static Directory open(Directory backing, Options options) throws IOException {
    try {
      return new WithBacking(options.over(backing).build(), backing);
    } catch (Throwable e) {
      try (backing) {
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (backing) {
      super.close();
    }
  }
}
