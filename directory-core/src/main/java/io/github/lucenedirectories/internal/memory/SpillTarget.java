// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/** Takes over a file, while it is being written, that memory cannot or should not hold. */
@FunctionalInterface
public interface SpillTarget {

  /** Takes over no file: the write fails. */
  SpillTarget NONE =
      (file, cause) -> {
        throw cause;
      };

  /**
   * Creates an output that receives the file from its first byte on.
   *
   * @param cause why memory does not take the file
   */
  IndexOutput create(String file, IOException cause) throws IOException;

  /** The length in bytes above which a file is taken over even if memory has room for it. */
  default long maxBytes() {
    return Long.MAX_VALUE;
  }
}
