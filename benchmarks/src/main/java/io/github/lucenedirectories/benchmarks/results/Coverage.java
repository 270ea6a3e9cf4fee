package io.github.lucenedirectories.benchmarks.results;

/**
 * How often intervals held the value that they were to hold, and whether that is as often as they
 * say, by the exact binomial test. The intervals must be independent of each other.
 *
 * @param held intervals that held it
 * @param of all intervals
 * @param nominal the share that should hold it
 */
public record Coverage(int held, int of, double nominal) {
  private static final double LEVEL = 0.05;
  private static final int HALVINGS = 60;

  public Coverage {
    if (held < 0 || held > of || of < 1 || !(nominal > 0 && nominal < 1)) {
      throw new IllegalArgumentException("held=" + held + ", of=" + of + ", nominal=" + nominal);
    }
  }

  /** What the test says. */
  public enum Verdict {
    /** Too few hold it: the intervals are too narrow. */
    TOO_SELDOM,
    AS_OFTEN,
    /** Too many hold it: the intervals are wider than they need be. */
    TOO_OFTEN
  }

  /** The share that held. */
  public double share() {
    return (double) held / of;
  }

  /** The probability of a number at least as far on its side, doubled: two-sided. */
  public double probability() {
    return Math.min(1, 2 * Math.min(atMost(held, nominal), atLeast(held, nominal)));
  }

  /**
   * The verdict for one of several tests that are made at once (Bonferroni), at {@value #LEVEL} for
   * all of them.
   */
  public Verdict verdict(int tests) {
    if (probability() >= LEVEL / tests) {
      return Verdict.AS_OFTEN;
    }
    return share() < nominal ? Verdict.TOO_SELDOM : Verdict.TOO_OFTEN;
  }

  /** The shares that the number found agrees with: their 95 % interval (Clopper and Pearson). */
  public Interval interval95() {
    double low = held == 0 ? 0 : root(p -> atLeast(held, p) < LEVEL / 2);
    double high = held == of ? 1 : root(p -> atMost(held, p) >= LEVEL / 2);
    return new Interval(low, high);
  }

  private interface Below {
    boolean is(double probability);
  }

  /** Where something stops being so. */
  private static double root(Below below) {
    double low = 0;
    double high = 1;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (below.is(middle)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  private double atMost(int count, double p) {
    double sum = 0;
    for (int k = 0; k <= count; k++) {
      sum += exactly(k, p);
    }
    return Math.min(1, sum);
  }

  private double atLeast(int count, double p) {
    double sum = 0;
    for (int k = count; k <= of; k++) {
      sum += exactly(k, p);
    }
    return Math.min(1, sum);
  }

  private double exactly(int k, double p) {
    double log = 0;
    for (int i = 1; i <= k; i++) {
      log += Math.log((double) (of - k + i) / i);
    }
    return Math.exp(log + k * Math.log(p) + (of - k) * Math.log1p(-p));
  }
}
