package io.github.lucenedirectories.pmem;

/**
 * What a user chose.
 *
 * @param initialBytes length of the first pool file
 * @param poolFileBytes length of every later one, unless a file needs a longer one
 * @param maxBytes the most that all pool files may have together
 * @param chunkBytes a longer file is read as several chunks
 * @param preTouch whether opening waits until all free pages can be written without a fault
 */
record PmemOptions(
    long initialBytes, long poolFileBytes, long maxBytes, long chunkBytes, boolean preTouch) {}
