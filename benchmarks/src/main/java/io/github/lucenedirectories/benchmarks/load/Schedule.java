package io.github.lucenedirectories.benchmarks.load;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The moments of a step's requests and what each asks. Arrivals are a Poisson process: independent
 * of each other, as those of many users. The same seed gives the same schedule.
 */
public final class Schedule {
  private static final double NANOS = 1e9;
  private static final int FIRST_CAPACITY = 1024;

  private final long[] dueNanos;
  private final int[] queries;

  private Schedule(long[] dueNanos, int[] queries) {
    this.dueNanos = dueNanos;
    this.queries = queries;
  }

  /**
   * A schedule.
   *
   * @param perSecond the mean rate
   * @param queries how many there are to choose from, each as likely as any other
   */
  public static Schedule poisson(double perSecond, double seconds, int queries, long seed) {
    SplittableRandom gaps = new SplittableRandom(seed);
    SplittableRandom choices = gaps.split();
    long[] due = new long[FIRST_CAPACITY];
    int size = 0;
    double end = seconds * NANOS;
    double time = gap(gaps, perSecond);
    while (time < end) {
      if (size == due.length) {
        due = Arrays.copyOf(due, size * 2);
      }
      due[size++] = (long) time;
      time += gap(gaps, perSecond);
    }
    int[] chosen = new int[size];
    Arrays.setAll(chosen, i -> choices.nextInt(queries));
    return new Schedule(Arrays.copyOf(due, size), chosen);
  }

  /** An exponentially distributed time in nanoseconds. */
  private static double gap(SplittableRandom random, double perSecond) {
    return -Math.log1p(-random.nextDouble()) / perSecond * NANOS;
  }

  /** How many requests there are. */
  public int size() {
    return dueNanos.length;
  }

  /** When the {@code number}-th request from 0 is due, in nanoseconds from the step's start. */
  public long dueNanos(int number) {
    return dueNanos[number];
  }

  /** What it asks. */
  int query(int number) {
    return queries[number];
  }
}
