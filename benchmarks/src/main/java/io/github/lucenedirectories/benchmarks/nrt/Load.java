package io.github.lucenedirectories.benchmarks.nrt;

/**
 * What goes on in a fork.
 *
 * @param warmupSeconds dropped
 * @param seconds measured, at least
 * @param reopens measured, at least
 * @param updatesPerSecond of documents by random key
 * @param reopenMillis from the beginning of a reopen to that of the next
 * @param commitSeconds from the beginning of a commit to that of the next; 0 for none
 * @param threads that search
 */
record Load(
    double warmupSeconds,
    double seconds,
    int reopens,
    int updatesPerSecond,
    int reopenMillis,
    double commitSeconds,
    int threads) {

  /** The same with another rate of updates. */
  Load updating(int perSecond) {
    return new Load(
        warmupSeconds, seconds, reopens, perSecond, reopenMillis, commitSeconds, threads);
  }
}
