package io.github.lucenedirectories;

/** Follows the loading of a file or an index into memory. */
@FunctionalInterface
public interface LoadProgress {

  /**
   * Called after each piece, by the threads that load, by one at a time.
   *
   * @param name of the file, or of the directory whose index is loaded
   * @param bytes loaded so far; grows from call to call
   * @param totalBytes to be loaded
   */
  void loaded(String name, long bytes, long totalBytes);
}
