// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.internal.memory.MemoryBudget;

/**
 * A limit of memory that several {@link RamDirectory}s share.
 *
 * {@snippet :
 * RamBudget budget = new RamBudget(4L << 30);
 * try (Directory first = RamDirectory.builder().budget(budget).build();
 *     Directory second = RamDirectory.builder().budget(budget).build()) {
 *   long free = budget.maxBytes() - budget.usedBytes();
 * }
 * }
 *
 * <p>Each directory may take what the others leave. When the budget is used up, they first give
 * back the memory that their files no longer need; then a write fails as at a directory's own
 * limit. All methods may be called from any thread.
 */
public final class RamBudget {

  final MemoryBudget memory;

  /**
   * A budget of which nothing is used.
   *
   * @param maxBytes the limit in bytes, which counts whole pages; at least 1
   */
  public RamBudget(long maxBytes) {
    memory = new MemoryBudget(maxBytes);
  }

  /** The limit in bytes. */
  public long maxBytes() {
    return memory.maxBytes();
  }

  /** Sets the limit. Files that exceed a lower one stay, and new ones fail. */
  public void setMaxBytes(long bytes) {
    memory.setMaxBytes(bytes);
  }

  /**
   * Memory that the directories hold, in bytes: that of their files, and what they keep of deleted
   * files and give back when it is needed.
   */
  public long usedBytes() {
    return memory.usedBytes();
  }

  /** Names the limit and what is used. */
  @Override
  public String toString() {
    return "RamBudget(maxBytes=" + maxBytes() + " usedBytes=" + usedBytes() + ")";
  }
}
