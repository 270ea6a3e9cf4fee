package io.github.lucenedirectories;

import org.jspecify.annotations.Nullable;

/** A URI that {@link LuceneDirectories} cannot open; the message says what would be valid. */
public final class DirectoryUriException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  DirectoryUriException(String uri, @Nullable String what, @Nullable Throwable cause) {
    super("directory '" + uri + "': " + what, cause);
  }
}
