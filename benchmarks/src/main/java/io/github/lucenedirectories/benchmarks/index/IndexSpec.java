package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.directories.WritableSpec;

/**
 * What one indexing fork does.
 *
 * @param text the path of a file of documents
 * @param documents to index in each run; the text is repeated where it has fewer
 * @param vectors whether documents have a vector
 * @param warmupSeconds whole runs are dropped for so long, and one at least if it is not 0
 * @param seconds whole runs are measured for so long, and one at least
 */
record IndexSpec(
    WritableSpec directory,
    String text,
    int documents,
    boolean vectors,
    int threads,
    double bufferMegabytes,
    double warmupSeconds,
    double seconds) {}
