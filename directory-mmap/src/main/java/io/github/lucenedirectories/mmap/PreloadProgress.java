package io.github.lucenedirectories.mmap;

/** Is told how far the loading of a file into memory has come. */
@FunctionalInterface
public interface PreloadProgress {

  /**
   * Called after each piece, by the threads that load, by one at a time.
   *
   * @param file the file's name
   * @param bytes of it loaded so far
   * @param totalBytes its length
   */
  void loaded(String file, long bytes, long totalBytes);
}
