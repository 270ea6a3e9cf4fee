// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import java.io.IOException;
import org.apache.lucene.store.Directory;

/** Ways to open a {@link RamDirectory} over its backing, with a limit that fits a small test. */
enum Backed {
  /** Files reach the backing by sync alone. */
  AT_SYNC(Long.MAX_VALUE),
  /** Every file begins to be written to the backing when it is closed. */
  WRITE_BEHIND(1);

  private final long writeBehindBytes;

  Backed(long writeBehindBytes) {
    this.writeBehindBytes = writeBehindBytes;
  }

  RamDirectory open(Directory backing) throws IOException {
    return RamDirectory.builder()
        .backing(backing)
        .maxBytes(64L << 20)
        .writeBehindBytes(writeBehindBytes)
        .build();
  }
}
