package io.github.lucenedirectories.benchmarks.live;

/**
 * The time of a run: warm-up, then the seconds that count, then the end. Any thread may ask; times
 * are nanoseconds since the run began.
 */
public final class Window {
  private static final long NOT_YET = Long.MAX_VALUE;

  private final long origin = System.nanoTime();
  private volatile long from = NOT_YET;
  private volatile long until = NOT_YET;
  private volatile boolean over;

  /** Nanoseconds since the run began. */
  public long now() {
    return System.nanoTime() - origin;
  }

  /** From now on it counts. */
  public void open() {
    from = now();
  }

  /** From now on it counts no longer, and all end what they are doing. */
  public void close() {
    until = now();
    over = true;
  }

  /** All end what they are doing; nothing counts. */
  public void abandon() {
    over = true;
  }

  /** Whether all should end what they are doing. */
  public boolean isOver() {
    return over;
  }

  /** Whether a moment counts. */
  public boolean holds(long nanos) {
    return from <= nanos && nanos < until;
  }

  /** The time from the opening to a moment that counts. */
  public long sinceOpen(long nanos) {
    return nanos - from;
  }

  /** How long it was open, after it was closed. */
  public long length() {
    return until - from;
  }
}
