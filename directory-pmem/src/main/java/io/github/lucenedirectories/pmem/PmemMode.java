// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

/** How synced files are made durable. */
public enum PmemMode {
  /**
   * Flushes processor cache lines to persistent memory that is mapped directly ({@code MAP_SYNC}).
   * Synced files survive a loss of power.
   */
  PMEM,
  /** Writes a mapping back by {@code msync}. Synced files survive a loss of power; slow. */
  FILE,
  /**
   * Flushes processor cache lines, whatever memory is mapped: for memory that emulates persistent
   * memory. Synced files survive the end of the process and nothing else.
   */
  EMULATED
}
