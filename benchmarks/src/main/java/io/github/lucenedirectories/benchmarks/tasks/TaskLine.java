// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.tasks;

/** One line of a luceneutil task file, such as {@code AndHighHigh: +public +after}. */
public record TaskLine(String kind, String text) {
  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
