// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import java.io.EOFException;
import java.io.IOException;
import java.util.Objects;

/** The exceptions for a file that cannot be read. */
final class ReadErrors {

  private ReadErrors() {}

  /**
   * Adds the file to the system's error, which names a descriptor at most.
   *
   * @return an {@link EOFException} if the cause is one
   */
  static IOException cannotRead(Object file, IOException cause) {
    String why = Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    String message = "cannot read: " + why + ": " + file;
    IOException named =
        cause instanceof EOFException ? new EOFException(message) : new IOException(message);
    named.initCause(cause);
    return named;
  }
}
