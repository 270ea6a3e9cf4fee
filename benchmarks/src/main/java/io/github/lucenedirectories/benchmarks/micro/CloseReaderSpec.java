package io.github.lucenedirectories.benchmarks.micro;

/**
 * What a fork does that closes readers.
 *
 * @param directory the simple name of its class
 * @param segments of the index
 * @param compound whether each segment has its files in one
 * @param readers threads that read meanwhile
 * @param warmups closes that are not counted
 * @param closes that are
 * @param pauseMillis between two closes
 * @param seed of the documents
 */
record CloseReaderSpec(
    String directory,
    int segments,
    boolean compound,
    int readers,
    int warmups,
    int closes,
    int pauseMillis,
    long seed) {

  /** The same on another directory. */
  CloseReaderSpec on(String other) {
    return new CloseReaderSpec(
        other, segments, compound, readers, warmups, closes, pauseMillis, seed);
  }
}
