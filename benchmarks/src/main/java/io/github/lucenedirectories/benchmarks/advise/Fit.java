package io.github.lucenedirectories.benchmarks.advise;

/** How an index compares with the memory that the page cache has for it. */
enum Fit {
  /** It fits twice: it may double. */
  ROOMY,
  /** It fits, and will not if it doubles. */
  TIGHT,
  /** It does not fit. */
  TOO_LARGE;

  /** Files take this share of the page cache at most, if they are to stay in it. */
  private static final double SHARE = 0.9;

  static Fit of(long indexBytes, long pageCacheBytes) {
    double room = SHARE * pageCacheBytes;
    if (indexBytes > room) {
      return TOO_LARGE;
    }
    return 2 * indexBytes > room ? TIGHT : ROOMY;
  }
}
