// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;

/** What a directory adds to its {@link MemoryFileTable}; by default nothing. */
public interface TableOwner {

  /** Whether a name is in use by a file outside the table. */
  default boolean isTaken(String name) throws IOException {
    return false;
  }

  /** The length in bytes above which a file is spilled even if memory has room for it. */
  default long maxBytes(IOContext context) {
    return Long.MAX_VALUE;
  }

  /**
   * Creates an output outside the table that receives a file from its first byte on, since memory
   * cannot or should not hold it.
   *
   * @param cause why memory does not hold the file
   */
  default IndexOutput spill(String name, IOContext context, MemoryLimitException cause)
      throws IOException {
    throw cause;
  }
}
