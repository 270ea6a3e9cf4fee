package io.github.lucenedirectories.pmem;

/**
 * What a {@link PmemDirectory} takes, in bytes.
 *
 * @param poolFiles how many pool files there are
 * @param totalBytes pages that files may have
 * @param freeBytes of them, those that no file has
 * @param longestFreeBytes the longest range of free pages
 * @param logBytes of the metadata log that are in use
 */
public record PmemUsage(
    int poolFiles, long totalBytes, long freeBytes, long longestFreeBytes, long logBytes) {

  /** Share of the free pages that are not in the longest range: 0 if they are all in one. */
  public double fragmentation() {
    return freeBytes == 0 ? 0 : 1 - (double) longestFreeBytes / freeBytes;
  }
}
