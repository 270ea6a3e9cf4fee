// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import java.io.Closeable;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.util.IOFunction;

/** A directory together with what it needs and does not close itself: a backing or a cache. */
public class OwningDirectory extends FilterDirectory {
  private final Closeable owned;

  OwningDirectory(Directory directory, Closeable owned) {
    super(directory);
    this.owned = owned;
  }

  /** Opens a directory over something that is closed with it, or at once if that fails. */
  public static <T extends Closeable> Directory over(T owned, IOFunction<T, Directory> opener)
      throws IOException {
    try {
      return new OwningDirectory(opener.apply(owned), owned);
    } catch (Throwable t) {
      try (owned) {
        throw t;
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (owned) {
      super.close();
    }
  }
}
