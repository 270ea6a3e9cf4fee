// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.results;

/** Which way a figure should differ to be good. */
public enum Better {
  HIGHER,
  LOWER,
  /** The figure only describes what went on, and is not compared. */
  NEITHER
}
