// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import java.util.Locale;

/** Says that there is no memory for a file, and what would make room. */
public final class MemoryLimitException extends IOException {
  private static final long serialVersionUID = 1;

  private MemoryLimitException(String message) {
    super(message);
  }

  /**
   * A file would take more memory than a limit allows.
   *
   * @param neededBytes how many bytes the file needs now
   * @param freeBytes how many bytes are available
   */
  static MemoryLimitException limit(
      String file, long neededBytes, long freeBytes, long maxBytes, String owner) {
    return new MemoryLimitException(
        String.format(
            Locale.ROOT,
            "memory limit reached: file=%s, neededBytes=%s, freeBytes=%s, maxBytes=%s: "
                + "%s; delete files or raise the limit",
            file,
            neededBytes,
            freeBytes,
            maxBytes,
            owner));
  }

  /** The range of addresses of a directory is full. */
  static MemoryLimitException noAddresses(String file, long neededBytes, Object owner) {
    return new MemoryLimitException(
        String.format(
            Locale.ROOT,
            "no address space is left: file=%s, neededBytes=%s: %s; raise ulimit -v",
            file,
            neededBytes,
            owner));
  }

  /** The system refuses memory below the limit. */
  static MemoryLimitException noMemory(
      String file, long neededBytes, Object owner, OutOfMemoryError cause) {
    MemoryLimitException refusal =
        new MemoryLimitException(
            String.format(
                Locale.ROOT,
                "the system has no memory for a file: file=%s, neededBytes=%s: "
                    + "%s; lower maxBytes, or give the process more memory",
                file,
                neededBytes,
                owner));
    refusal.initCause(cause);
    return refusal;
  }
}
