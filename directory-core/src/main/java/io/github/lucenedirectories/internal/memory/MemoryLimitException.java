// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import java.util.Locale;

/** Says that a file would take more memory than the limit allows. */
public final class MemoryLimitException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param askedBytes how many bytes the file requested
   * @param freeBytes how many bytes were available
   * @param owner the directory
   */
  MemoryLimitException(String file, long askedBytes, long freeBytes, long maxBytes, String owner) {
    super(
        String.format(
            Locale.ROOT,
            "memory limit reached: file=%s, askedBytes=%s, freeBytes=%s, maxBytes=%s: "
                + "%s; delete files or raise the limit",
            file,
            askedBytes,
            freeBytes,
            maxBytes,
            owner));
  }
}
