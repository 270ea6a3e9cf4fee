package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * The directories that a workload can compare, each with the way to read an existing index through
 * it. Those in memory and in pools are filled with a copy of the last commit; nothing is ever
 * written to the index.
 */
public enum BenchmarkDirectory implements ReadableDirectory {
  MMAP("MMapDirectory", MMapDirectory::new),
  NIOFS("NIOFSDirectory", NIOFSDirectory::new),
  BYTE_BUFFERS("ByteBuffersDirectory", index -> loaded(index, new ByteBuffersDirectory())),
  MAPPED("MappedDirectory", MappedDirectory::new),
  RAM("RamDirectory", BenchmarkDirectory::loadedRam),
  NIO("NioDirectory", NioDirectory::new),
  HYBRID("HybridDirectory", HybridDirectory::new),

  /** Merges go through the page cache though memory is scarce. */
  HYBRID_CACHED_MERGES(
      "HybridDirectory-cachedMerges",
      index -> HybridDirectory.builder(index).directMergeBytes(Long.MAX_VALUE).build()),

  /**
   * Positional reads through a cache that has room for the whole index; {@link SizedBlockCache} has
   * those with less.
   */
  BLOCK_CACHE("BlockCacheDirectory", index -> OwnCacheDirectory.open(new NioDirectory(index))),

  /** In pools of its own, which are in memory wherever they can be. */
  PMEM("PmemDirectory", MemoryDirectory::loadedPools),

  /** Lucene's mapping in the place of the last, beside which it shows what the pools change. */
  MMAP_PMEM("MMapDirectory-pmem", MemoryDirectory::loadedMapped),

  /** Lucene's mapping with advice by context: the one-line change that helps in little memory. */
  MMAP_ADVISED("MMapDirectory-advised", BenchmarkDirectory::advised),

  /** Two of ours in one JVM: half of the segments in memory, the others mapped. */
  RAM_OVER_MAPPED("RamOverMapped", BenchmarkDirectory::ramOverMapped),

  /** Lucene's counterpart: the same half of the segments in its cache, the others mapped. */
  NRT_CACHING("NRTCachingDirectory", BenchmarkDirectory::nrtCaching);

  /** What the others are compared with. */
  public static final BenchmarkDirectory BASELINE = MMAP;

  /** What is compared unless the user names others. */
  public static final List<BenchmarkDirectory> DEFAULTS =
      List.of(MMAP, NIOFS, BYTE_BUFFERS, MAPPED, RAM, NIO);

  private interface Opener {
    Directory open(Path index) throws IOException;
  }

  private final String label;
  private final Opener opener;

  BenchmarkDirectory(String label, Opener opener) {
    this.label = label;
    this.opener = opener;
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public boolean usesHeap() {
    return this == BYTE_BUFFERS || this == NRT_CACHING;
  }

  @Override
  public double shareInMemory() {
    return switch (this) {
      case BYTE_BUFFERS, RAM, PMEM, MMAP_PMEM -> 1;
      case RAM_OVER_MAPPED, NRT_CACHING -> 0.5;
      case MMAP, MMAP_ADVISED, NIOFS, MAPPED, NIO, HYBRID, HYBRID_CACHED_MERGES, BLOCK_CACHE -> 0;
    };
  }

  @Override
  public Directory open(Path index) throws IOException {
    return opener.open(index);
  }

  private static Directory advised(Path index) throws IOException {
    MMapDirectory directory = new MMapDirectory(index);
    directory.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);
    return directory;
  }

  private static Directory ramOverMapped(Path index) throws IOException {
    Directory files = new MappedDirectory(index);
    Set<String> half = CommitFiles.half(files);
    Directory memory = new RamDirectory();
    CommitFiles.copy(files, half, memory, IOContext.DEFAULT);
    return new SplitDirectory(files, memory, half);
  }

  private static Directory nrtCaching(Path index) throws IOException {
    Directory files = new MMapDirectory(index);
    return new CachedHalfDirectory(files, CommitFiles.half(files));
  }

  private static Directory loadedRam(Path index) throws IOException {
    try (Directory files = new MappedDirectory(index)) {
      return RamDirectory.load(files);
    }
  }

  private static Directory loaded(Path index, Directory memory) throws IOException {
    try (Directory files = new MMapDirectory(index)) {
      CommitFiles.copy(files, CommitFiles.all(files), memory, IOContext.DEFAULT);
    }
    return memory;
  }
}
