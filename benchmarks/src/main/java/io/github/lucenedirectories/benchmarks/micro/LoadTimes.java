package io.github.lucenedirectories.benchmarks.micro;

import java.util.List;

/**
 * What one fork measured; seconds, one value for each round.
 *
 * @param files of all commits
 * @param bytes of these files
 * @param load into a directory, checksums included
 * @param read into fresh memory
 * @param readAgain into the same memory once more
 * @param heapGrowthBytes by how much live objects on the heap grow with a loaded directory
 * @param loadedHugeBytes of a loaded directory's memory, in huge pages
 * @param readHugeBytes of the memory that was read into, in huge pages
 */
record LoadTimes(
    int files,
    long bytes,
    List<Double> load,
    List<Double> read,
    List<Double> readAgain,
    long heapGrowthBytes,
    long loadedHugeBytes,
    long readHugeBytes) {}
