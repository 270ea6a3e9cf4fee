package io.github.lucenedirectories.benchmarks.pmem;

import java.nio.file.FileSystemException;

/** What an exception says, in one line for people. */
final class OneLine {

  private OneLine() {}

  /** The first line of the message, with the kind of error where the message is a bare name. */
  static String of(Throwable e) {
    String message = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return e instanceof FileSystemException || e.getMessage() == null
        ? e.getClass().getSimpleName() + ": " + message
        : message;
  }
}
