package io.github.lucenedirectories.benchmarks;

/**
 * Input that the user has to change: an option, a file, an index. Its message is one line that
 * names the thing and what is wrong with it; the command line prints that line and ends with {@link
 * #EXIT_STATUS}.
 */
public final class UsageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The exit status of a command that refused its input: {@value}. */
  public static final int EXIT_STATUS = 2;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
