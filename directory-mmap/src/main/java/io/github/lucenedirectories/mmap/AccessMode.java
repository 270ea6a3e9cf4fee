// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.mmap;

/** How a {@link HybridDirectory} reads a file. */
public enum AccessMode {
  /** Mapped; the kernel loads pages around those that are read, as it sees fit. */
  MAPPED,
  /** Mapped; the kernel loads only the pages that are read. */
  MAPPED_RANDOM,
  /** By positional reads. */
  POSITIONAL
}
