package io.github.lucenedirectories.testkit;

import static io.github.lucenedirectories.internal.os.PathCounter.ALLOCATED_MEMORY;
import static io.github.lucenedirectories.internal.os.PathCounter.CHANNEL_MAP;
import static io.github.lucenedirectories.internal.os.PathCounter.CHANNEL_READ_FILE;
import static io.github.lucenedirectories.internal.os.PathCounter.CONTIGUOUS_INPUT;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_ADVICE;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_MEMORY;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_READ_FILE;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.mmap.ChangingDirectory;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.BlockCache;
import io.github.lucenedirectories.ram.BlockCacheDirectory;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.Capabilities.Loaded;
import io.github.lucenedirectories.testkit.Capabilities.Storage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The one list of directories that all suites run. A new directory, or option, is added here. */
public final class DirectoriesUnderTest {

  /** Small enough that every file of an index is cut, large enough to run a whole index. */
  private static final long SMALL_CHUNK_BYTES = 64;

  private static final int SMALL_BLOCK_BYTES = 16;
  private static final int PAGE_BYTES = 4_096;
  private static final int CACHE_BLOCK_BYTES = 1 << 14;
  private static final long SMALL_LIMIT_BYTES = 64L << 20;
  private static final double SMALL_CACHE_MB = 0.25;

  /** Pools of this length are full soon, and make others. */
  private static final long SMALL_POOL_BYTES = 1L << 21;

  private static final DirectoryUnderTest NIO =
      new DirectoryUnderTest(
          "NioDirectory", path -> NioDirectory.builder(path).build(), positional(1_024), null);

  /** All that is merged, or read from end to end, goes past the page cache. */
  private static final DirectoryUnderTest NIO_SMALL_BLOCKS =
      new DirectoryUnderTest(
          "NioDirectory(blockBytes=" + SMALL_BLOCK_BYTES + ", directMergeBytes=1)",
          path ->
              NioDirectory.builder(path).blockBytes(SMALL_BLOCK_BYTES).directMergeBytes(1).build(),
          positional(SMALL_BLOCK_BYTES),
          null);

  private static final DirectoryUnderTest MAPPED =
      new DirectoryUnderTest(
          "MappedDirectory",
          MappedDirectory::new,
          new Capabilities(
              Storage.FILES,
              Loaded.AS_MAPPED,
              true,
              Capabilities.CONTIGUOUS,
              PAGE_BYTES,
              // A file that is read once is not mapped.
              Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_ADVICE, NATIVE_READ_FILE),
              Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, CHANNEL_READ_FILE)),
          (path, chunkBytes) -> MappedDirectory.builder(path).chunkBytes(chunkBytes).build());

  private static final DirectoryUnderTest HYBRID =
      new DirectoryUnderTest(
          "HybridDirectory",
          HybridDirectory::new,
          // No advice: all of a test's files fit in memory.
          MAPPED
              .capabilities()
              .withNativePaths(Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_READ_FILE)),
          (path, chunkBytes) -> HybridDirectory.builder(path).chunkBytes(chunkBytes).build());

  /** As where memory becomes short, and does not stay so: an index is read in both ways at once. */
  private static final DirectoryUnderTest CHANGING =
      new DirectoryUnderTest(
          "ChangingDirectory",
          ChangingDirectory::open,
          new Capabilities(
              Storage.FILES,
              Loaded.AS_MAPPED_OR_CACHED,
              false,
              Capabilities.CONTIGUOUS,
              PAGE_BYTES,
              // Which of them is left to chance.
              Set.of(),
              Set.of()),
          null);

  private static final DirectoryUnderTest RAM =
      new DirectoryUnderTest(
          "RamDirectory",
          path -> new RamDirectory(),
          new Capabilities(
              Storage.MEMORY,
              Loaded.ALWAYS,
              true,
              Capabilities.CONTIGUOUS,
              PAGE_BYTES,
              Set.of(CONTIGUOUS_INPUT, NATIVE_MEMORY),
              Set.of(CONTIGUOUS_INPUT, ALLOCATED_MEMORY)),
          (path, chunkBytes) -> RamDirectory.builder().chunkBytes(chunkBytes).build());

  /** A small limit, so that memory is used again and again, in pages of the usual size. */
  private static final DirectoryUnderTest RAM_LIMITED =
      inMemory(
          "RamDirectory(maxBytes=" + SMALL_LIMIT_BYTES + ", hugePages=NEVER)",
          Storage.MEMORY,
          path ->
              RamDirectory.builder()
                  .maxBytes(SMALL_LIMIT_BYTES)
                  .hugePages(HugePages.NEVER)
                  .build());

  private static final DirectoryUnderTest RAM_OVER_NIO =
      inMemory(
          "RamDirectory(backing=NioDirectory)",
          Storage.MEMORY_AND_FILES,
          path ->
              WithBacking.open(
                  new NioDirectory(path), backing -> RamDirectory.builder().backing(backing)));

  /** Every file begins to be written when it is closed. */
  private static final DirectoryUnderTest RAM_OVER_MAPPED =
      inMemory(
          "RamDirectory(backing=MappedDirectory, writeBehindBytes=1)",
          Storage.MEMORY_AND_FILES,
          path ->
              WithBacking.open(
                  new MappedDirectory(path),
                  backing -> RamDirectory.builder().backing(backing).writeBehindBytes(1)));

  /** The cache is small enough that files spill into the directory below. */
  private static final DirectoryUnderTest NRT_OVER_MAPPED =
      new DirectoryUnderTest(
          "NrtCacheDirectory(MappedDirectory)",
          path -> new NrtCacheDirectory(new MappedDirectory(path), SMALL_CACHE_MB, SMALL_CACHE_MB),
          cached(true),
          null);

  private static final DirectoryUnderTest NRT_OVER_NIO =
      new DirectoryUnderTest(
          "NrtCacheDirectory(NioDirectory)",
          path -> new NrtCacheDirectory(new NioDirectory(path), SMALL_CACHE_MB, SMALL_CACHE_MB),
          cached(false),
          null);

  /** Eight blocks: something gives way all the time. */
  private static final DirectoryUnderTest CACHED_NIO =
      new DirectoryUnderTest(
          "BlockCacheDirectory(NioDirectory, maxBytes=" + 8 * PAGE_BYTES + ")",
          path ->
              WithCache.open(
                  BlockCache.builder().blockBytes(PAGE_BYTES).maxBytes(8L * PAGE_BYTES),
                  cache -> new BlockCacheDirectory(new NioDirectory(path), cache)),
          new Capabilities(
              Storage.FILES,
              Loaded.AS_FOUND,
              false,
              Capabilities.CONTIGUOUS,
              PAGE_BYTES,
              Set.of(NATIVE_READ_FILE, NATIVE_MEMORY),
              Set.of(CHANNEL_READ_FILE, ALLOCATED_MEMORY)),
          null);

  private static final DirectoryUnderTest CACHED_MAPPED =
      new DirectoryUnderTest(
          "BlockCacheDirectory(MappedDirectory)",
          path ->
              WithCache.open(
                  BlockCache.builder().maxBytes(SMALL_LIMIT_BYTES),
                  cache -> new BlockCacheDirectory(new MappedDirectory(path), cache)),
          new Capabilities(
              Storage.FILES,
              Loaded.AS_MAPPED,
              false,
              Capabilities.CONTIGUOUS,
              CACHE_BLOCK_BYTES,
              Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_ADVICE, NATIVE_READ_FILE, NATIVE_MEMORY),
              Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, CHANNEL_READ_FILE, ALLOCATED_MEMORY)),
          null);

  /** As where no index fits, with the reads by positions through a cache. */
  private static final DirectoryUnderTest HYBRID_STARVED =
      new DirectoryUnderTest(
          "HybridDirectory(memoryBytes=-1, positional=BlockCacheDirectory)",
          path ->
              WithCache.open(
                  BlockCache.builder().blockBytes(PAGE_BYTES).maxBytes(64L * PAGE_BYTES),
                  cache ->
                      HybridDirectory.builder(path)
                          .memoryBytes(() -> -1)
                          .positional(files -> new BlockCacheDirectory(files, cache))
                          .build()),
          CACHED_NIO.capabilities(),
          null);

  private static final DirectoryUnderTest PMEM_BY_JDK = pmem(PmemEngine.JDK, PmemMode.FILE);
  private static final DirectoryUnderTest PMEM_BY_LLPL = pmem(PmemEngine.LLPL, PmemMode.EMULATED);

  /** True where the folders of tests are in persistent memory. */
  private static final String IN_PERSISTENT_MEMORY = "testkit.pmem";

  private DirectoriesUnderTest() {}

  private static DirectoryUnderTest pmem(PmemEngine engine, PmemMode mode) {
    return new DirectoryUnderTest(
        "PmemDirectory(engine=" + engine + ", mode=" + mode + ")",
        path -> pmem(path, engine, mode).build(),
        new Capabilities(
            Storage.POOLS,
            Loaded.ALWAYS,
            true,
            Capabilities.CONTIGUOUS,
            PAGE_BYTES,
            Set.of(CONTIGUOUS_INPUT),
            Set.of(CONTIGUOUS_INPUT)),
        (path, chunkBytes) -> pmem(path, engine, mode).chunkBytes(chunkBytes).build());
  }

  private static PmemDirectory.Builder pmem(Path path, PmemEngine engine, PmemMode mode) {
    return PmemDirectory.builder(path)
        .engine(engine)
        .mode(mode)
        .initialBytes(SMALL_POOL_BYTES)
        .poolFileBytes(2 * SMALL_POOL_BYTES);
  }

  private static DirectoryUnderTest inMemory(
      String name, Storage storage, DirectoryUnderTest.Factory factory) {
    return new DirectoryUnderTest(name, factory, RAM.capabilities().withStorage(storage), null);
  }

  /** Of files that are in memory until they are synced. */
  private static Capabilities cached(boolean memorySegments) {
    return new Capabilities(
        Storage.MEMORY_AND_FILES,
        Loaded.ALWAYS,
        memorySegments,
        Capabilities.CONTIGUOUS,
        PAGE_BYTES,
        Set.of(CONTIGUOUS_INPUT, NATIVE_MEMORY),
        Set.of(CONTIGUOUS_INPUT, ALLOCATED_MEMORY));
  }

  private static Capabilities positional(int blockBytes) {
    return new Capabilities(
        Storage.FILES,
        Loaded.AS_CACHED,
        false,
        Capabilities.CONTIGUOUS,
        blockBytes,
        Set.of(NATIVE_READ_FILE),
        Set.of(CHANNEL_READ_FILE));
  }

  /** All directories, each with every choice of options that matters. */
  public static List<DirectoryUnderTest> all() {
    List<DirectoryUnderTest> all = new ArrayList<>(readers());
    all.addAll(
        List.of(
            HYBRID,
            CHANGING,
            HYBRID_STARVED,
            CACHED_MAPPED,
            RAM_LIMITED,
            RAM_OVER_NIO,
            RAM_OVER_MAPPED,
            NRT_OVER_MAPPED,
            NRT_OVER_NIO));
    if (Llpl.loads()) {
      all.add(PMEM_BY_LLPL);
    }
    if (Boolean.getBoolean(IN_PERSISTENT_MEMORY)) {
      all.add(pmem(PmemEngine.LLPL, PmemMode.PMEM));
      all.add(pmem(PmemEngine.JDK, PmemMode.PMEM));
    }
    return List.copyOf(all);
  }

  /** A directory over a cache that holds next to nothing. */
  public static DirectoryUnderTest tinyCache() {
    return CACHED_NIO;
  }

  /** One for each way to read: the others read like one of these. */
  public static List<DirectoryUnderTest> readers() {
    return List.of(
        NIO,
        NIO_SMALL_BLOCKS,
        CACHED_NIO,
        MAPPED,
        MAPPED.chunked(SMALL_CHUNK_BYTES),
        RAM,
        RAM.chunked(SMALL_CHUNK_BYTES),
        PMEM_BY_JDK,
        PMEM_BY_JDK.chunked(SMALL_CHUNK_BYTES));
  }

  /** Those that a condition holds for. */
  public static List<DirectoryUnderTest> all(Predicate<DirectoryUnderTest> condition) {
    return all().stream().filter(condition).toList();
  }

  /** All directories, as the parameters of a suite. */
  public static List<Object[]> parameters() {
    return parameters(directory -> true);
  }

  /** Those that a condition holds for, as the parameters of a suite. */
  public static List<Object[]> parameters(Predicate<DirectoryUnderTest> condition) {
    return parameters(all(condition));
  }

  /** Some of them, as the parameters of a suite. */
  public static List<Object[]> parameters(List<DirectoryUnderTest> directories) {
    return directories.stream().map(directory -> new Object[] {directory}).toList();
  }
}
