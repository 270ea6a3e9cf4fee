package io.github.lucenedirectories.pmem;

/**
 * The space that a {@link PmemDirectory} uses, in bytes.
 *
 * @param poolFiles number of pool files
 * @param totalBytes length of all pages for files
 * @param freeBytes length of the free pages
 * @param longestFreeBytes length of the longest range of free pages
 * @param logBytes length of the used part of the metadata log
 */
public record PmemUsage(
    int poolFiles, long totalBytes, long freeBytes, long longestFreeBytes, long logBytes) {

  /** Share of the free pages outside the longest range; 0 if all are in one range. */
  public double fragmentation() {
    return freeBytes == 0 ? 0 : 1 - (double) longestFreeBytes / freeBytes;
  }
}
