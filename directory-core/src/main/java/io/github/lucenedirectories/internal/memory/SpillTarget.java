package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/** Takes over a file that memory is not to hold, while it is written. */
@FunctionalInterface
public interface SpillTarget {

  /** Nobody takes files over: the write fails. */
  SpillTarget NONE =
      (file, cause) -> {
        throw cause;
      };

  /**
   * Creates an output that gets the file from its first byte on.
   *
   * @param cause why memory does not take the file
   */
  IndexOutput create(String file, IOException cause) throws IOException;

  /** The length in bytes above which a file is taken over although memory has room for it. */
  default long maxBytes() {
    return Long.MAX_VALUE;
  }
}
