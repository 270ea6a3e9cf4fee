package io.github.lucenedirectories.pmem;

/** What writes pool files and flushes them. Pools made with one open with the other. */
public enum PmemEngine {
  /**
   * The low-level persistent memory library of Intel, over libpmem: modes {@link PmemMode#PMEM} and
   * {@link PmemMode#EMULATED}. Needs the library {@code com.intel.pmem:llpl}, and the system's
   * libpmemobj and libpmempool.
   */
  LLPL,
  /** The Java runtime: modes {@link PmemMode#PMEM} and {@link PmemMode#FILE}. */
  JDK
}
