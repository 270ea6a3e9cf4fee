package io.github.lucenedirectories.benchmarks.advise;

import org.jspecify.annotations.Nullable;

/**
 * What a JVM finds that would search the index. A figure is null if the system does not tell.
 *
 * @param memoryBytes of the machine or, if smaller, of the container
 * @param machineBytes of the machine
 * @param heapBytes the largest Java heap
 * @param pageCacheBytes what the page cache can hold for this process
 * @param residentBytes of all files in the index's folder, in the page cache before anything was
 *     measured
 * @param readAheadKiB the most that the system reads from the device at once
 * @param device of the index, in words
 * @param maxMapCount the most mappings of a process
 * @param hybrid how HybridDirectory would read the index's largest file, and why
 */
record Machine(
    int processors,
    long memoryBytes,
    @Nullable Long machineBytes,
    long heapBytes,
    long pageCacheBytes,
    long residentBytes,
    @Nullable Long readAheadKiB,
    @Nullable String device,
    @Nullable Long maxMapCount,
    String hybrid) {

  /** Whether something limits the memory that the machine has. */
  boolean hasLimit() {
    return machineBytes != null && memoryBytes < machineBytes;
  }
}
