package io.github.lucenedirectories.benchmarks.watch;

/**
 * The stops of one kind in a span of time.
 *
 * @param count that began in it
 * @param totalNanos of all
 * @param longestNanos 0 if there was none
 */
public record Pauses(long count, long totalNanos, long longestNanos) {

  /** No stop at all. */
  public static final Pauses NONE = new Pauses(0, 0, 0);

  /** Those of both. */
  Pauses plus(Pauses other) {
    return new Pauses(
        count + other.count,
        totalNanos + other.totalNanos,
        Math.max(longestNanos, other.longestNanos));
  }

  /** With one more. */
  Pauses plus(long nanos) {
    return new Pauses(count + 1, totalNanos + nanos, Math.max(longestNanos, nanos));
  }
}
