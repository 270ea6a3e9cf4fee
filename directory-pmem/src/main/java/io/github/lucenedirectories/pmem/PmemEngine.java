// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

/** The library that writes and flushes pool files. Each engine opens the pools of the other. */
public enum PmemEngine {
  /**
   * Intel's low-level persistence library on top of libpmem. It supports the modes {@link
   * PmemMode#PMEM} and {@link PmemMode#EMULATED}, and needs the library {@code
   * com.intel.pmem:llpl}, and the system's libpmemobj and libpmempool.
   */
  LLPL,
  /** The Java runtime. It supports the modes {@link PmemMode#PMEM} and {@link PmemMode#FILE}. */
  JDK
}
