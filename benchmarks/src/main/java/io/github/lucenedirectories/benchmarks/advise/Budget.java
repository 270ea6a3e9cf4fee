package io.github.lucenedirectories.benchmarks.advise;

/**
 * How the time for measuring is shared out.
 *
 * @param forks of each directory
 * @param warmupSeconds in each fork
 * @param seconds measured in each fork
 */
record Budget(int forks, double warmupSeconds, double seconds) {
  /** Forks of each directory where time allows: so many have an interval that needs no stretch. */
  static final int FORKS = 6;

  private static final int LEAST_FORKS = 2;

  /* A fork that searches for less tells little. */
  private static final double LEAST_SECONDS = 0.6;

  private static final double WARM_UP = 0.6;

  /**
   * How many directories the time is enough for, if each gets as little as can be.
   *
   * @param seconds for everything
   * @param overheadSeconds of a fork, before and after it searches
   */
  static int mostColumns(double seconds, double overheadSeconds) {
    return (int) Math.max(0, seconds / (LEAST_FORKS * (overheadSeconds + LEAST_SECONDS)));
  }

  /**
   * Shares it out.
   *
   * @param seconds for everything
   * @param columns how many directories
   * @param overheadSeconds of a fork, before and after it searches
   * @param loadSeconds that the columns take in a round to copy the index into memory
   */
  static Budget of(double seconds, int columns, double overheadSeconds, double loadSeconds) {
    double leastRound = columns * (overheadSeconds + LEAST_SECONDS) + loadSeconds;
    int forks = Math.clamp((long) (seconds / leastRound), LEAST_FORKS, FORKS);
    double searching =
        Math.max(LEAST_SECONDS, (seconds / forks - loadSeconds) / columns - overheadSeconds);
    return new Budget(forks, WARM_UP * searching, (1 - WARM_UP) * searching);
  }
}
