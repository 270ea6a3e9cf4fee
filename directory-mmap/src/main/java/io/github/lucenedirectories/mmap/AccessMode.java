package io.github.lucenedirectories.mmap;

/** How a {@link HybridDirectory} reads a file. */
public enum AccessMode {
  /** Mapped; the kernel reads ahead and around as it sees fit. */
  MAPPED,
  /** Mapped; where Lucene says that reads jump, the kernel loads no more than is read. */
  MAPPED_RANDOM,
  /** By positional reads, through the wrapper of {@link HybridDirectory.Builder#positional}. */
  POSITIONAL
}
