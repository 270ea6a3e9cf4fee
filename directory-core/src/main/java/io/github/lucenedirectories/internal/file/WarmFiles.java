// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import java.io.IOException;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The files of a directory as the page cache or a block cache keeps them. Thread-safe. */
public interface WarmFiles {

  /**
   * What is in memory of a file: some bytes, and the units that have at least one of them.
   *
   * @param checksum its last bytes, where Lucene puts a checksum
   */
  record Resident(long length, long checksum, long bytes, BitSet units) {
    public boolean isSameFile(@Nullable Resident other) {
      return other != null && length == other.length && checksum == other.checksum;
    }
  }

  /** The length of a unit in bytes. */
  int unitBytes();

  /** How many more bytes can be loaded without evicting others, when so many are in memory. */
  long roomBytes(long residentBytes);

  /** What is in memory of a file; empty if that cannot be known. */
  Optional<Resident> resident(String name) throws IOException;

  /** Opens a file to load parts of it. */
  PositionalFile openToLoad(String name) throws IOException;
}
