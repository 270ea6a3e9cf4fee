package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.results.Recorded;

/**
 * The outcome of a step. Requests that were sent to settle count in {@code planned} and {@code
 * sent} only.
 *
 * @param perSecond the rate that was asked for
 * @param seconds that counted
 * @param planned requests of the whole step
 * @param sent of these, requests that had a connection by the step's end, with 50 ms or a hundredth
 *     of the step added for the last ones
 * @param heldBack the most requests that waited in the client at one time because all connections
 *     were busy
 * @param requests that count
 * @param answered of these, requests answered by the step's end
 * @param unanswered of these, requests given up in the end
 * @param failed of these, requests whose query failed in the server
 * @param latency from the planned moment of each request that counts to the arrival of its answer,
 *     or to when it was given up
 * @param late how long after its planned moment each request was handed over
 */
public record StepResult(
    double perSecond,
    double seconds,
    int planned,
    int sent,
    int heldBack,
    int requests,
    int answered,
    int unanswered,
    int failed,
    Recorded latency,
    Recorded late) {
  private static final double MILLIS = 1e3;
  private static final double KEPT = 0.99;

  /* This share of the requests may be under way in the end, whatever the limit. */
  private static final double UNDER_WAY = 0.02;
  private static final double GIVEN_UP = 0.01;

  /** Whether the client sent what was planned, within 1 %. */
  public boolean keptRate() {
    return sent >= KEPT * planned;
  }

  /**
   * Whether the server held the rate: the 99th percentile is within a limit, no more requests wait
   * in the end than come in that time, and less than one in a hundred was given up.
   */
  public boolean holds(double limitSeconds) {
    double mostWaiting = Math.max(UNDER_WAY * requests, perSecond * limitSeconds);
    return keptRate()
        && failed == 0
        && requests - answered <= mostWaiting
        && unanswered <= GIVEN_UP * requests
        && latency.millis("p99") <= limitSeconds * MILLIS;
  }
}
