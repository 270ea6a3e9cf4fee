package io.github.lucenedirectories.ram;

/** Is told how far the loading of an index has come. */
@FunctionalInterface
public interface LoadProgress {

  /**
   * Called after each piece, by the threads that load, by one at a time.
   *
   * @param bytes loaded so far; grows from call to call
   * @param totalBytes to be loaded
   */
  void loaded(long bytes, long totalBytes);
}
