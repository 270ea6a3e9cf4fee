// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.util.concurrent.atomic.LongAdder;

/**
 * The amount of a resource outside the Java heap that the process currently holds.
 *
 * <p>Each amount returns to its earlier value when every directory and input is closed. All methods
 * may be called from any thread.
 */
public enum LiveResource {
  /** File descriptors and channels open for positional reads. */
  DESCRIPTORS,
  /** Arenas that keep a mapping or a file in memory alive. */
  ARENAS,
  /** Bytes of files that are mapped. */
  MAPPED_BYTES,
  /** Bytes of memory that complete files in memory take, in whole pages or as allocated. */
  MEMORY_BYTES,
  /** Ranges of address space reserved for files in memory. */
  ADDRESS_RANGES;

  private final LongAdder amount = new LongAdder();

  /** Changes the amount by {@code delta}, which may be negative. */
  public void add(long delta) {
    amount.add(delta);
  }

  /** The amount held now. Exact only while no other thread changes it. */
  public long amount() {
    return amount.sum();
  }
}
