// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

import java.util.Map;
import java.util.TreeMap;

/**
 * Has metrics: a directory, a cache, or the process. An application's own directory may implement
 * it, too.
 */
@FunctionalInterface
public interface MetricSource {

  /**
   * Reports the current metrics. Any thread may call this, also after the directory was closed; it
   * takes microseconds and waits for no device.
   */
  void report(Sink sink);

  /**
   * The current metrics by name, for all files together; and what is not 0 by kind, as in {@code
   * cache.hits.fdt}.
   */
  default Map<String, Double> metrics() {
    Map<String, Double> metrics = new TreeMap<>();
    report(
        new Sink() {
          @Override
          public void gauge(String name, String kind, double value) {
            metrics.merge(name, value, Double::sum);
            if (!kind.isEmpty() && value != 0) {
              metrics.put(name + "." + kind, value);
            }
          }

          @Override
          public void counter(String name, String kind, double value) {
            gauge(name, kind, value);
          }
        });
    return metrics;
  }

  /**
   * Receives metrics. A name consists of lower-case words and dots; a kind is one of files, or
   * empty. Times are in seconds.
   */
  interface Sink {

    /** Receives a metric that goes up and down. */
    void gauge(String name, String kind, double value);

    /** Receives a metric that only goes up. */
    void counter(String name, String kind, double value);

    /** Receives a metric that goes up and down, for all files together. */
    default void gauge(String name, long value) {
      gauge(name, "", (double) value);
    }

    /** Receives a metric that only goes up, for all files together. */
    default void counter(String name, long value) {
      counter(name, "", (double) value);
    }
  }
}
