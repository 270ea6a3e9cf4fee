package io.github.lucenedirectories;

/**
 * A directory with figures to watch, which {@code DirectoryMetrics} reads. A directory of an
 * application may implement it too.
 */
@FunctionalInterface
public interface MetricSource {

  /**
   * Reports the current figures. Any thread may call it, also after the directory was closed; it
   * takes microseconds and waits for no device.
   */
  void report(Sink sink);

  /** Takes figures. A name has lower-case words with dots; a kind is one of files, or empty. */
  interface Sink {

    /** A figure that goes up and down. */
    void gauge(String name, long value);

    /** A figure that only goes up. */
    void counter(String name, String kind, long value);

    /** A figure of all kinds of files that only goes up. */
    default void counter(String name, long value) {
      counter(name, "", value);
    }

    /** A time that only grows, which is shown in seconds. */
    void seconds(String name, String kind, long nanos);
  }
}
