// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import static io.github.lucenedirectories.internal.os.PathCounter.CHANNEL_MAP;
import static io.github.lucenedirectories.internal.os.PathCounter.CHANNEL_READ_FILE;
import static io.github.lucenedirectories.internal.os.PathCounter.CONTIGUOUS_INPUT;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_ADVICE;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_MEMORY;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_READ_FILE;
import static io.github.lucenedirectories.testkit.DirectoryUnderTest.CONTIGUOUS;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.CommitJournal;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Loaded;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Opener;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Storage;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOFunction;

/**
 * The directories that all suites run. A new directory, or a new choice of options, is one entry.
 */
public final class DirectoriesUnderTest {

  /** Small enough that every file of an index is cut, large enough to run a whole index. */
  private static final long SMALL_CHUNK_BYTES = 64;

  private static final int PAGE_BYTES = 4_096;

  /* Caches spill and pools fill up after a few files. */
  private static final double NRT_MEGABYTES = 0.25;
  private static final long JOURNAL_BYTES = 1L << 18;
  private static final long POOL_BYTES = 1L << 21;

  /* Something is evicted all the time, and memory is used again and again. */
  private static final int BLOCKS = 8;
  private static final long LIMIT_BYTES = 64L << 20;

  /** True where the folders of tests are in persistent memory. */
  private static final String IN_PERSISTENT_MEMORY = "testkit.pmem";

  private static final Way CACHED =
      new Way(Loaded.NEVER, false, PAGE_BYTES, Set.of(NATIVE_READ_FILE, NATIVE_MEMORY));

  /* A file that is read once is not mapped. */
  private static final Way MAPPED =
      segments(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_ADVICE, CHANNEL_READ_FILE);
  private static final Way MAPPED_CACHED =
      new Way(
          Loaded.NEVER,
          false,
          1 << 14,
          Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_ADVICE, CHANNEL_READ_FILE, NATIVE_MEMORY));

  /* No advice: all of a test's files fit in memory. */
  private static final Way HYBRID = segments(CONTIGUOUS_INPUT, CHANNEL_MAP, CHANNEL_READ_FILE);
  private static final Way HYBRID_WITHOUT_MEMORY =
      new Way(Loaded.AS_READ, false, PAGE_BYTES, Set.of());
  private static final Way MEMORY = segments(CONTIGUOUS_INPUT, NATIVE_MEMORY);
  private static final Way MEMORY_AND_FILES =
      new Way(Loaded.ALWAYS, false, PAGE_BYTES, Set.of(CONTIGUOUS_INPUT, NATIVE_MEMORY));
  private static final Way POOLS = segments(CONTIGUOUS_INPUT);

  /* One for each way to read: the others read like one of these. */
  private static final List<DirectoryUnderTest> READERS =
      Stream.of(
              files("NioDirectory", positional(1_024), NioDirectory::new),
              files(
                  "NioDirectory(blockBytes=16, directMergeBytes=1)",
                  positional(16),
                  path -> NioDirectory.builder(path).blockBytes(16).directMergeBytes(1).build()),
              files(
                  "BlockCacheDirectory(NioDirectory, maxBytes=" + BLOCKS * PAGE_BYTES + ")",
                  CACHED,
                  path ->
                      Owned.over(
                          cache(PAGE_BYTES, (long) BLOCKS * PAGE_BYTES),
                          cache -> new BlockCacheDirectory(new NioDirectory(path), cache))),
              chunkable("MappedDirectory", Storage.FILES, MAPPED, DirectoriesUnderTest::mapped),
              chunkable("RamDirectory", Storage.MEMORY, MEMORY, DirectoriesUnderTest::ram),
              pools(PmemEngine.JDK, PmemMode.FILE))
          .flatMap(
              reader ->
                  reader.chunkable()
                      ? Stream.of(reader, reader.chunked(SMALL_CHUNK_BYTES))
                      : Stream.of(reader))
          .toList();

  private static final List<DirectoryUnderTest> ALL = makeAll();

  private DirectoriesUnderTest() {}

  private static List<DirectoryUnderTest> makeAll() {
    List<DirectoryUnderTest> all = new ArrayList<>(READERS);
    all.addAll(
        List.of(
            chunkable("HybridDirectory", Storage.FILES, HYBRID, DirectoriesUnderTest::hybrid),
            memoryAndFiles(
                "NrtCacheDirectory", MEMORY, path -> nrtCache(new MappedDirectory(path))),
            memoryAndFiles(
                "NrtCacheDirectory-Nio",
                MEMORY_AND_FILES,
                path -> nrtCache(new NioDirectory(path))),
            files(
                "BlockCacheDirectory(MappedDirectory)",
                MAPPED_CACHED,
                path ->
                    Owned.over(
                        cache(1 << 14, LIMIT_BYTES),
                        cache -> new BlockCacheDirectory(new MappedDirectory(path), cache))),
            // As where no index fits in memory.
            files(
                "HybridDirectory(memoryBytes=-1, read=POSITIONAL)",
                HYBRID_WITHOUT_MEMORY,
                path ->
                    HybridDirectory.builder(path)
                        .memoryBytes(() -> -1)
                        .read("cfs", AccessMode.POSITIONAL)
                        .read("fdt", AccessMode.POSITIONAL)
                        .read("tim", AccessMode.POSITIONAL)
                        .build()),
            new DirectoryUnderTest(
                "RamDirectory(maxBytes=" + LIMIT_BYTES + ", hugePages=NEVER)",
                (_, _) ->
                    RamDirectory.builder().maxBytes(LIMIT_BYTES).hugePages(HugePages.NEVER).build(),
                false,
                CONTIGUOUS,
                Storage.MEMORY,
                MEMORY),
            memoryAndFiles(
                "RamDirectory(backing=NioDirectory)",
                MEMORY,
                path ->
                    Owned.over(
                        new NioDirectory(path),
                        files -> RamDirectory.builder().backing(files).build())),
            journaled("NrtCacheDirectory(HybridDirectory, journal)", MEMORY, HybridDirectory::new),
            journaled(
                "NrtCacheDirectory(NioDirectory, journal)", MEMORY_AND_FILES, NioDirectory::new),
            new DirectoryUnderTest(
                "RamDirectory(backing=NrtCacheDirectory(NioDirectory, journal))",
                (path, _) ->
                    Owned.over(
                        journaled(path, new NioDirectory(path)),
                        files -> RamDirectory.builder().backing(files).build()),
                false,
                CONTIGUOUS,
                Storage.MEMORY_AND_JOURNAL,
                MEMORY),
            memoryAndFiles(
                "RamDirectory(backing=MappedDirectory)",
                MEMORY,
                path ->
                    Owned.over(
                        new MappedDirectory(path),
                        files -> RamDirectory.builder().backing(files).build()))));
    if (Llpl.loads()) {
      all.add(pools(PmemEngine.LLPL, PmemMode.EMULATED));
    }
    if (Boolean.getBoolean(IN_PERSISTENT_MEMORY)) {
      all.add(pools(PmemEngine.LLPL, PmemMode.PMEM));
      all.add(pools(PmemEngine.JDK, PmemMode.PMEM));
    }
    return List.copyOf(all);
  }

  private static DirectoryUnderTest files(
      String name, Way way, IOFunction<Path, Directory> opener) {
    return new DirectoryUnderTest(
        name, (path, _) -> opener.apply(path), false, CONTIGUOUS, Storage.FILES, way);
  }

  private static DirectoryUnderTest memoryAndFiles(
      String name, Way way, IOFunction<Path, Directory> opener) {
    return new DirectoryUnderTest(
        name, (path, _) -> opener.apply(path), false, CONTIGUOUS, Storage.MEMORY_AND_FILES, way);
  }

  private static DirectoryUnderTest journaled(
      String name, Way way, IOFunction<Path, Directory> files) {
    return new DirectoryUnderTest(
        name,
        (path, _) -> journaled(path, files.apply(path)),
        false,
        CONTIGUOUS,
        Storage.MEMORY_AND_JOURNAL,
        way);
  }

  private static DirectoryUnderTest chunkable(
      String name, Storage storage, Way way, Opener opener) {
    return new DirectoryUnderTest(name, opener, true, CONTIGUOUS, storage, way);
  }

  private static DirectoryUnderTest pools(PmemEngine engine, PmemMode mode) {
    return chunkable(
        "PmemDirectory(engine=" + engine + ", mode=" + mode + ")",
        Storage.POOLS,
        POOLS,
        (path, chunkBytes) -> {
          PmemDirectory.Builder builder =
              PmemDirectory.builder(path)
                  .engine(engine)
                  .mode(mode)
                  .initialBytes(POOL_BYTES)
                  .poolFileBytes(POOL_BYTES);
          return (chunkBytes == CONTIGUOUS ? builder : builder.chunkBytes(chunkBytes)).build();
        });
  }

  private static Directory mapped(Path path, long chunkBytes) throws IOException {
    MappedDirectory.Builder builder = MappedDirectory.builder(path);
    return (chunkBytes == CONTIGUOUS ? builder : builder.chunkBytes(chunkBytes)).build();
  }

  private static Directory hybrid(Path path, long chunkBytes) throws IOException {
    HybridDirectory.Builder builder = HybridDirectory.builder(path);
    return (chunkBytes == CONTIGUOUS ? builder : builder.chunkBytes(chunkBytes)).build();
  }

  private static Directory ram(Path path, long chunkBytes) throws IOException {
    RamDirectory.Builder builder = RamDirectory.builder();
    return (chunkBytes == CONTIGUOUS ? builder : builder.chunkBytes(chunkBytes)).build();
  }

  private static Directory nrtCache(Directory files) throws IOException {
    return new NrtCacheDirectory(files, NRT_MEGABYTES, NRT_MEGABYTES);
  }

  /** Uses the smallest journal, in a file next to the folder. */
  private static Directory journaled(Path path, Directory files) throws IOException {
    Path journal = path.resolveSibling(path.getFileName() + ".journal");
    return Owned.over(
        CommitJournal.open(journal, JOURNAL_BYTES),
        commits -> new NrtCacheDirectory(files, NRT_MEGABYTES, NRT_MEGABYTES, commits));
  }

  private static BlockCache cache(int blockBytes, long maxBytes) throws IOException {
    return BlockCache.builder().blockBytes(blockBytes).maxBytes(maxBytes).build();
  }

  /** Through memory segments. */
  private static Way segments(PathCounter... nativePaths) {
    return new Way(Loaded.ALWAYS, true, PAGE_BYTES, Set.of(nativePaths));
  }

  private static Way positional(int blockBytes) {
    return new Way(Loaded.NEVER, false, blockBytes, Set.of(NATIVE_READ_FILE));
  }

  /** All directories, each with every choice of options that matters. */
  public static List<DirectoryUnderTest> all() {
    return ALL;
  }

  /** One for each way to read: the others read like one of these. */
  public static List<DirectoryUnderTest> readers() {
    return READERS;
  }

  /** The directories that a condition holds for, as the parameters of a suite. */
  public static List<Object[]> parameters(Predicate<DirectoryUnderTest> condition) {
    return ALL.stream().filter(condition).map(directory -> new Object[] {directory}).toList();
  }
}
