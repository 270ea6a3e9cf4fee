// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories;

/** Receives the progress of loading a file or an index into memory. */
@FunctionalInterface
public interface LoadProgress {

  /**
   * Called after each piece by one of the loading threads; calls do not overlap.
   *
   * @param name the name of the file, or of the directory whose index is loaded
   * @param bytes the bytes loaded so far; grows from call to call
   * @param totalBytes all bytes to load
   */
  void loaded(String name, long bytes, long totalBytes);
}
