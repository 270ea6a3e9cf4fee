// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.tools.console;

/**
 * A run that gave no result although its input was good: a fork ended early, or a directory
 * answered differently from the baseline. The command line prints the message and ends with {@link
 * #EXIT_STATUS}.
 */
public final class RunFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public static final int EXIT_STATUS = 1;

  public RunFailedException(String message) {
    super(message);
  }

  public RunFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
