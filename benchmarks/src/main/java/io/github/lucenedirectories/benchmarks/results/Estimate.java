package io.github.lucenedirectories.benchmarks.results;

import org.jspecify.annotations.Nullable;

/**
 * A value and how well it is known.
 *
 * @param interval95 holds the true value with 95 % probability; null if there was one round only
 * @param corrected so wide that all kinds' intervals hold together with 95 % probability
 *     (Bonferroni); null if there were too few rounds to say
 */
public record Estimate(double value, @Nullable Interval interval95, @Nullable Interval corrected) {

  /** Whether the value differs from 1 by more than the noise. */
  public Verdict verdict() {
    if (interval95 == null || interval95.contains(1)) {
      return Verdict.SAME;
    }
    return interval95.low() > 1 ? Verdict.FASTER : Verdict.SLOWER;
  }

  /** The median of values that no interval can be told of. */
  public static Estimate unsure(double[] values) {
    return new Estimate(Medians.of(values), null, null);
  }

  /** What a ratio of speeds says. */
  public enum Verdict {
    FASTER,
    SAME,
    SLOWER;

    /** What the same ratio says of times instead. */
    public Verdict opposite() {
      return switch (this) {
        case FASTER -> SLOWER;
        case SAME -> SAME;
        case SLOWER -> FASTER;
      };
    }
  }
}
