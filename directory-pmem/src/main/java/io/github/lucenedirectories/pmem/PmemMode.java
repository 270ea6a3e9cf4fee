package io.github.lucenedirectories.pmem;

/** How what was synced is made durable. */
public enum PmemMode {
  /**
   * Processor cache lines are flushed to persistent memory, which the file system lets be reached
   * without itself ({@code MAP_SYNC}). Survives a loss of power.
   */
  PMEM,
  /** An ordinary mapping, written back by {@code msync}. Survives a loss of power; slow. */
  FILE,
  /**
   * Processor cache lines are flushed, to whatever lies behind the file: for memory that stands in
   * for persistent memory. Survives the end of the process and nothing else.
   */
  EMULATED
}
