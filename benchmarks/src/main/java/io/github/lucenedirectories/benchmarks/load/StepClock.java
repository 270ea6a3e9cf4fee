// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.results.Recorded;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * The times of one step: when each request is due and what it asks, and when its answer came.
 * Arrivals are a Poisson process: independent of each other, as those of many users. The same seed
 * gives the same moments. Latencies begin at the planned moment, so a stall counts in every request
 * that was due meanwhile. One thread sends; any thread may report answers.
 */
public final class StepClock {
  private static final double NANOS = 1e9;
  private static final long LEAST_GRACE_NANOS = 50_000_000;
  private static final int GRACE_SHARE = 100;

  private final double perSecond;
  private final long[] dueNanos;
  private final int[] queries;
  private final long settleNanos;
  private final long endNanos;
  private final Histogram latency = new Histogram(Recorded.DIGITS);
  private final Histogram late = new Histogram(Recorded.DIGITS);
  private final boolean[] isAnswered;
  private long startNanos;
  private int sent;
  private int inTime;

  /**
   * Requests at one rate for a time.
   *
   * @param settleSeconds at the beginning, in which requests are sent and not counted
   * @param seconds after that, whose requests count
   * @param choices how many queries there are
   */
  public StepClock(double perSecond, double settleSeconds, double seconds, int choices, long seed) {
    this.perSecond = perSecond;
    this.settleNanos = (long) (settleSeconds * NANOS);
    this.endNanos = (long) ((settleSeconds + seconds) * NANOS);
    SplittableRandom gaps = new SplittableRandom(seed);
    SplittableRandom asked = gaps.split();
    this.dueNanos =
        DoubleStream.iterate(gap(gaps), time -> time < endNanos, time -> time + gap(gaps))
            .mapToLong(time -> (long) time)
            .toArray();
    this.queries = asked.ints(dueNanos.length, 0, choices).toArray();
    this.isAnswered = new boolean[dueNanos.length];
  }

  /** An exponentially distributed time in nanoseconds. */
  private double gap(SplittableRandom random) {
    return -Math.log1p(-random.nextDouble()) / perSecond * NANOS;
  }

  /** Says when the step begins, as {@link System#nanoTime} has it, before a request is sent. */
  void start(long nanos) {
    startNanos = nanos;
  }

  int size() {
    return dueNanos.length;
  }

  int query(int number) {
    return queries[number];
  }

  /** When a request is due, as {@link System#nanoTime} has it. */
  long due(int number) {
    return startNanos + dueNanos[number];
  }

  /** The step's end, likewise. */
  long end() {
    return startNanos + endNanos;
  }

  /** The next request was handed over. */
  synchronized void sent(int number, long now) {
    late.recordValue(Math.max(0, now - due(number)));
    // The last ones may be as late as an ordinary system wakes a thread.
    if (now <= end() + Math.max(LEAST_GRACE_NANOS, endNanos / GRACE_SHARE)) {
      sent++;
    }
  }

  /** The answer of a request came. */
  synchronized void answered(int number, long now) {
    isAnswered[number] = true;
    if (counts(number)) {
      latency.recordValue(Math.max(0, now - due(number)));
      inTime += now <= end() ? 1 : 0;
    }
  }

  private boolean counts(int number) {
    return dueNanos[number] >= settleNanos;
  }

  /** What was measured; an answer that is missing took until now. */
  synchronized StepResult result(long now) {
    int requests = 0;
    int unanswered = 0;
    for (int i = 0; i < isAnswered.length; i++) {
      if (counts(i)) {
        requests++;
        if (!isAnswered[i]) {
          unanswered++;
          latency.recordValue(now - due(i));
        }
      }
    }
    return new StepResult(
        perSecond,
        size(),
        sent,
        requests,
        inTime,
        unanswered,
        Recorded.of(latency),
        Recorded.of(late));
  }

  /**
   * The outcome of a step. Requests that were sent to settle count in {@code planned} and {@code
   * sent} only.
   *
   * @param planned requests of the whole step
   * @param sent of these, requests handed over by the step's end, with 50 ms or a hundredth of the
   *     step added for the last ones
   * @param requests that count
   * @param answered of these, requests answered by the step's end
   * @param unanswered of these, requests given up in the end
   * @param latency from the planned moment of each request that counts to the arrival of its
   *     answer, or to when it was given up
   * @param late how long after its planned moment each request was handed over
   */
  public record StepResult(
      double perSecond,
      int planned,
      int sent,
      int requests,
      int answered,
      int unanswered,
      Recorded latency,
      Recorded late) {
    private static final double MILLIS = 1e3;
    private static final double KEPT = 0.99;

    /* This share of the requests may be under way in the end, whatever the limit. */
    private static final double UNDER_WAY = 0.02;
    private static final double GIVEN_UP = 0.01;

    /** Whether the planned requests were handed over in time, within 1 %. */
    public boolean keptRate() {
      return sent >= KEPT * planned;
    }

    /**
     * Whether the rate was held: the 99th percentile is within a limit, no more requests wait in
     * the end than come in that time, and less than one in a hundred was given up.
     */
    public boolean holds(double limitSeconds) {
      double mostWaiting = Math.max(UNDER_WAY * requests, perSecond * limitSeconds);
      return keptRate()
          && requests - answered <= mostWaiting
          && unanswered <= GIVEN_UP * requests
          && latency.millis("p99") <= limitSeconds * MILLIS;
    }
  }
}
