// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts the bytes of memory that are taken against a limit, and against that of a budget above if
 * there is one. All methods may be called by any thread.
 */
public final class MemoryBudget {

  private final @Nullable MemoryBudget above;

  /** Each gives back free memory that counts against this budget. */
  private final Set<Runnable> relievers = ConcurrentHashMap.newKeySet();

  private long maxBytes;
  private long usedBytes;
  private long peakBytes;

  public MemoryBudget(long maxBytes) {
    this(maxBytes, null);
  }

  MemoryBudget(long maxBytes, @Nullable MemoryBudget above) {
    this.maxBytes = requirePositive(maxBytes);
    this.above = above;
  }

  private static long requirePositive(long maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be positive: maxBytes=" + maxBytes);
    }
    return maxBytes;
  }

  public synchronized long maxBytes() {
    return maxBytes;
  }

  /** Sets the limit; what is taken beyond it stays taken. */
  public synchronized void setMaxBytes(long bytes) {
    maxBytes = requirePositive(bytes);
  }

  /**
   * Takes bytes if the limits allow.
   *
   * @return 0, or how many bytes are missing, and then nothing is taken
   */
  synchronized long take(long bytes) {
    long free = freeBytes();
    if (bytes > free) {
      return bytes - free;
    }
    long lacking = above == null ? 0 : above.take(bytes);
    if (lacking == 0) {
      usedBytes += bytes;
      peakBytes = Math.max(peakBytes, usedBytes);
    }
    return lacking;
  }

  synchronized void give(long bytes) {
    usedBytes -= bytes;
    if (above != null) {
      above.give(bytes);
    }
  }

  public synchronized long usedBytes() {
    return usedBytes;
  }

  synchronized long peakBytes() {
    return peakBytes;
  }

  /** This budget, or the one above if it has less room. */
  MemoryBudget tightest() {
    return above != null && above.freeBytes() < freeBytes() ? above : this;
  }

  synchronized long freeBytes() {
    return Math.max(0, maxBytes - usedBytes);
  }

  /** Lets others under the same budget ask for memory that this member does not need. */
  void join(Runnable reliever) {
    if (above != null) {
      above.relievers.add(reliever);
    }
  }

  void leave(Runnable reliever) {
    if (above != null) {
      above.relievers.remove(reliever);
    }
  }

  /** Asks all members of the budget above to return what they do not need. */
  void relieve() {
    if (above != null) {
      above.relievers.forEach(Runnable::run);
    }
  }
}
