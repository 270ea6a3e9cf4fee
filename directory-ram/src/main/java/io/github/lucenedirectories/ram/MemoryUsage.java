package io.github.lucenedirectories.ram;

/**
 * The memory outside the Java heap that a directory holds, in bytes.
 *
 * @param maxBytes the most that is taken
 * @param usedBytes of files, in whole pages, those included that were deleted and may still be read
 * @param peakBytes the most that was taken at once
 * @param freeBytes what new files may still take
 * @param residentFreeBytes taken from the system, but of no file: the next files take it first
 * @param fragmentation the share, from 0 to 1, of the used memory that holds no byte of a file
 * @param hugePageBytes the part that lies in huge pages
 */
public record MemoryUsage(
    long maxBytes,
    long usedBytes,
    long peakBytes,
    long freeBytes,
    long residentFreeBytes,
    double fragmentation,
    long hugePageBytes) {}
