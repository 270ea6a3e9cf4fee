package io.github.lucenedirectories.internal.memory;

import java.io.IOException;

/** Says that a file would take more memory than the limit allows. */
final class MemoryLimitException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * @param askedBytes what the file asked for now
   * @param freeBytes what it could have had
   * @param owner the directory
   */
  MemoryLimitException(String file, long askedBytes, long freeBytes, long maxBytes, String owner) {
    super(
        "memory limit reached: file="
            + file
            + ", askedBytes="
            + askedBytes
            + ", freeBytes="
            + freeBytes
            + ", maxBytes="
            + maxBytes
            + ": "
            + owner
            + "; delete files or raise the limit");
  }
}
