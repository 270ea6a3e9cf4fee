package io.github.lucenedirectories.internal.memory;

/**
 * Counts the bytes of memory that are taken against a limit. All methods may be called by any
 * thread.
 */
final class MemoryBudget {

  private final long maxBytes;
  private long usedBytes;
  private long peakBytes;

  MemoryBudget(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  long maxBytes() {
    return maxBytes;
  }

  /**
   * Takes bytes if the limit allows.
   *
   * @return 0, or how many bytes are missing, and then nothing is taken
   */
  synchronized long take(long bytes) {
    long free = maxBytes - usedBytes;
    if (bytes > free) {
      return bytes - free;
    }
    usedBytes += bytes;
    peakBytes = Math.max(peakBytes, usedBytes);
    return 0;
  }

  synchronized void give(long bytes) {
    usedBytes -= bytes;
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  synchronized long peakBytes() {
    return peakBytes;
  }
}
