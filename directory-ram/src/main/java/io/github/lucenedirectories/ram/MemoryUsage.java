package io.github.lucenedirectories.ram;

/**
 * The memory outside the Java heap that a directory holds, in bytes.
 *
 * @param maxBytes the limit
 * @param usedBytes memory of files in whole pages, including deleted files that can still be read
 * @param peakBytes the highest usage so far
 * @param freeBytes what new files may still use
 * @param residentFreeBytes resident memory that holds no file; the next files use it first
 * @param fragmentation the share of the used memory, from 0 to 1, that holds no byte of a file
 * @param hugePageBytes the part of the memory that lies in huge pages
 */
public record MemoryUsage(
    long maxBytes,
    long usedBytes,
    long peakBytes,
    long freeBytes,
    long residentFreeBytes,
    double fragmentation,
    long hugePageBytes) {}
