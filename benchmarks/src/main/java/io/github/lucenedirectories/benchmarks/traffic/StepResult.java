package io.github.lucenedirectories.benchmarks.traffic;

import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import org.HdrHistogram.Histogram;

/**
 * What came of a step. Requests that were sent to settle count in the first two figures only.
 *
 * @param perSecond the rate that was asked for
 * @param seconds that counted
 * @param planned requests of the whole step
 * @param sent of these, those that the connection had taken at the step's end, with a hundredth of
 *     its time or 50 ms added for the last ones
 * @param heldBack the most requests that waited in the client at one time because the connection
 *     took no more
 * @param requests that count
 * @param answered of these, those answered by the step's end
 * @param unanswered of these, those given up in the end
 * @param failed of these, those whose query failed in the server
 * @param latency nanoseconds from the planned moment of each request that counts to the arrival of
 *     its answer, or to when it was given up; an encoded histogram
 * @param late nanoseconds by which requests were handed over after their moment; likewise
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
    String latency,
    String late) {
  private static final double NANOS = 1e9;
  private static final double KEPT = 0.99;

  /* So much of the requests may be under way in the end, whatever the limit. */
  private static final double UNDER_WAY = 0.02;
  private static final double GIVEN_UP = 0.01;
  private static final double TAIL = 99;

  /** Latencies in nanoseconds. */
  public Histogram latencies() {
    return EncodedHistogram.decode(latency);
  }

  /** How late the client was, in nanoseconds. */
  public Histogram lateness() {
    return EncodedHistogram.decode(late);
  }

  /** Whether the client sent what was planned, within 1 %. */
  public boolean keptRate() {
    return sent >= KEPT * planned;
  }

  /**
   * Whether the server held the rate: the 99th percentile is within a limit, no more requests wait
   * in the end than come in that time, and not one in a hundred was given up.
   */
  public boolean holds(double limitSeconds) {
    double mostWaiting = Math.max(UNDER_WAY * requests, perSecond * limitSeconds);
    return keptRate()
        && failed == 0
        && requests - answered <= mostWaiting
        && unanswered <= GIVEN_UP * requests
        && latencies().getValueAtPercentile(TAIL) <= limitSeconds * NANOS;
  }
}
