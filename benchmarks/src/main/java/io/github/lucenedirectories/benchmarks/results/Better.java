// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

/** Which way a figure should differ to be good. */
public enum Better {
  HIGHER("right is better"),
  LOWER("left is better"),
  /** The figure only describes what went on, and is not compared. */
  NEITHER("");

  private final String direction;

  Better(String direction) {
    this.direction = direction;
  }

  /** Where on an axis of ratios the good ones lie. */
  public String direction() {
    return direction;
  }
}
