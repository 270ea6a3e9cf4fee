package io.github.lucenedirectories;

/** A directory with figures for {@code DirectoryMetrics}; an application's own may be one too. */
@FunctionalInterface
public interface MetricSource {

  /**
   * Reports the current figures. Any thread may call it, also after the directory was closed; it
   * takes microseconds and waits for no device.
   */
  void report(Sink sink);

  /** Takes figures. A name has lower-case words with dots; a kind is one of files, or empty. */
  @FunctionalInterface
  interface Sink {

    /** Takes a figure; a counter only goes up. Times are in seconds. */
    void figure(String name, String kind, boolean counter, double value);

    /** A figure that goes up and down. */
    default void gauge(String name, long value) {
      figure(name, "", false, (double) value);
    }

    /** A figure that only goes up. */
    default void counter(String name, String kind, long value) {
      figure(name, kind, true, (double) value);
    }
  }
}
