// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import java.io.IOException;
import java.util.Locale;

/** There are more files than a metadata log can name; nothing has changed. */
final class LogFullException extends IOException {
  private static final long serialVersionUID = 1;

  LogFullException(long neededBytes, long logBytes, String path) {
    super(
        String.format(
            Locale.ROOT,
            "too many files for the metadata log: neededBytes=%s, logBytes=%s, file=%s; "
                + "delete files, or import them into a directory with a larger initial size",
            neededBytes,
            logBytes,
            path));
  }
}
