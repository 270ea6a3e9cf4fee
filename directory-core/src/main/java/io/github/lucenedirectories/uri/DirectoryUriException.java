// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.uri;

/** A URI that {@link LuceneDirectories} cannot open; the message says what would be valid. */
public final class DirectoryUriException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  DirectoryUriException(String uri, IllegalArgumentException cause) {
    super("directory '" + uri + "': " + cause.getMessage(), cause);
  }
}
