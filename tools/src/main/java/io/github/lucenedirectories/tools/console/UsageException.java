// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools.console;

import java.nio.file.FileSystemException;

/**
 * Input that the user has to change: an option, a file, an index. Its message is one line that
 * names the thing and what is wrong with it; the command line prints that line and ends with {@link
 * #EXIT_STATUS}.
 */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public static final int EXIT_STATUS = 2;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The refusal {@code what}, with what an exception and its causes say, all in one line. */
  public static UsageException because(String what, Exception e) {
    StringBuilder line = new StringBuilder(what);
    for (Throwable t = e; t != null; t = t.getCause()) {
      // The message of such an exception may be a path and nothing else.
      String name = t instanceof FileSystemException ? t.getClass().getSimpleName() + " " : "";
      line.append(": ").append(name);
      line.append(String.valueOf(t.getMessage()).lines().findFirst().orElse(""));
    }
    return new UsageException(line.toString(), e);
  }
}
