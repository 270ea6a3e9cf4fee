// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

import java.util.Map;
import java.util.TreeMap;

/** Figures, such as those of a directory or a cache. An application's directory may have some. */
@FunctionalInterface
public interface MetricSource {

  /**
   * Reports the current figures. Any thread may call it, also after the directory was closed; it
   * takes microseconds and waits for no device.
   */
  void report(Sink sink);

  /**
   * The current figures by name, for all files together; and what is not 0 by kind, as in {@code
   * cache.hits.fdt}.
   */
  default Map<String, Double> figures() {
    Map<String, Double> figures = new TreeMap<>();
    report(
        (name, kind, _, value) -> {
          figures.merge(name, value, Double::sum);
          if (!kind.isEmpty() && value != 0) {
            figures.put(name + "." + kind, value);
          }
        });
    return figures;
  }

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
