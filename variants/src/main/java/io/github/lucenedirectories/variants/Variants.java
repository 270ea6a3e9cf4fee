// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import static io.github.lucenedirectories.variants.Variant.Use.COMMIT;
import static io.github.lucenedirectories.variants.Variant.Use.SEARCH;
import static io.github.lucenedirectories.variants.Variant.Use.TEST;
import static io.github.lucenedirectories.variants.Variant.Use.TEST_CHUNKS;
import static io.github.lucenedirectories.variants.Variant.Use.TEST_LLPL;
import static io.github.lucenedirectories.variants.Variant.Use.TEST_PMEM;
import static io.github.lucenedirectories.variants.Variant.Use.WRITE;

import io.github.lucenedirectories.HugePages;
import io.github.lucenedirectories.cache.BlockCache;
import io.github.lucenedirectories.cache.BlockCacheDirectory;
import io.github.lucenedirectories.mmap.AccessMode;
import io.github.lucenedirectories.mmap.HybridDirectory;
import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.pmem.PmemEngine;
import io.github.lucenedirectories.pmem.PmemMode;
import io.github.lucenedirectories.ram.NrtCacheDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import io.github.lucenedirectories.variants.Variant.Storage;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.lucene.misc.store.DirectIODirectory;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOFunction;

/** The list of all variants. A new directory, or a new choice of options, is one entry here. */
public final class Variants {

  /** What the other variants are compared with. */
  public static final String BASELINE = "MMapDirectory";

  /** Ends the name of a variant that reads all files into memory when it opens them. */
  public static final String PRELOADED = "-preloaded";

  /** Separates names on the command line: a comma that is not in brackets. */
  public static final String SEPARATOR = ",(?![^\\[]*\\])";

  /* Of tests: something is evicted all the time, and memory is used again and again. */
  private static final int BLOCK_BYTES = 4_096;
  private static final long LIMIT_BYTES = 64L << 20;

  /* What a random read of a vector reads at once, aligned. */
  private static final int DIRECT_BYTES = 8_192;

  /* In the order of reports. */
  private static final List<Variant> ALL =
      List.of(
          // Lucene's.
          files(BASELINE, MMapDirectory::new).usedFor(SEARCH, WRITE, COMMIT),
          files("NIOFSDirectory", NIOFSDirectory::new).usedFor(SEARCH, WRITE),
          Variant.of("ByteBuffersDirectory", Storage.HEAP, (_, _) -> new ByteBuffersDirectory())
              .reading(1, (index, _) -> Commit.copied(index, new ByteBuffersDirectory()))
              .usedFor(SEARCH, WRITE),
          Variant.of(
                  "NRTCachingDirectory",
                  Storage.HEAP,
                  (folder, sizes) -> nrtCaching(new MMapDirectory(folder), sizes))
              .usedFor(WRITE),

          // This project's, with their defaults.
          Variant.of("MappedDirectory", Storage.FILES, Variants::mapped)
              .usedFor(SEARCH, WRITE, TEST, TEST_CHUNKS),
          Variant.of("RamDirectory", Storage.MEMORY, Variants::ram)
              .reading(1, (index, _) -> loadRam(index))
              .usedFor(SEARCH, WRITE, TEST, TEST_CHUNKS),
          files("NioDirectory", NioDirectory::new).usedFor(SEARCH, WRITE, TEST),
          Variant.of("HybridDirectory", Storage.FILES, Variants::hybrid)
              .usedFor(SEARCH, WRITE, TEST, TEST_CHUNKS),
          Variant.of(
                  "RamDirectory-backed",
                  Storage.MEMORY_AND_FILES,
                  (folder, _) ->
                      Owned.over(
                          new MappedDirectory(folder),
                          files -> RamDirectory.builder().backing(files).build()))
              .usedFor(WRITE, COMMIT),
          Variant.of("PmemDirectory", Storage.POOLS, Pools::openBest)
              .reading(1, Pools::read)
              .usedFor(WRITE)
              .offeredFor(SEARCH),
          Variant.of(
                  "NrtCacheDirectory",
                  Storage.MEMORY_AND_FILES,
                  (folder, sizes) -> nrtCache(new MappedDirectory(folder), sizes))
              .usedFor(WRITE, TEST),
          files(CachedDirectory.NAME, NioDirectory::new)
              .reading(0, (index, _) -> CachedDirectory.open(index))
              .offeredFor(SEARCH),

          // With other options.
          files("HybridDirectory-cachedMerges", Variants::cachingMerges).offeredFor(SEARCH),
          files("MMapDirectory-advised", Variants::advised).offeredFor(SEARCH),
          files("MMapDirectory-directVectors", Variants::directVectors).offeredFor(SEARCH),
          files(BASELINE + PRELOADED, Variants::preloaded).offeredFor(SEARCH),
          files(
                  "MappedDirectory" + PRELOADED,
                  folder -> MappedDirectory.builder(folder).preload(Set.of("*")).build())
              .offeredFor(SEARCH),
          Variant.of(
                  "NRTCachingDirectory-NIOFS",
                  Storage.HEAP,
                  (folder, sizes) -> nrtCaching(new NIOFSDirectory(folder), sizes))
              .offeredFor(WRITE),
          Variant.of(
                  "NrtCacheDirectory-Nio",
                  Storage.MEMORY_AND_FILES,
                  (folder, sizes) -> nrtCache(new NioDirectory(folder), sizes))
              .offeredFor(WRITE)
              .usedFor(TEST),
          // Lucene's mapping in the place of the pools: the difference is what the pools change.
          Variant.of("MMapDirectory-pmem", Storage.POOLS, (folder, _) -> new MMapDirectory(folder))
              .reading(1, (index, scratch) -> Commit.copied(index, new MMapDirectory(scratch)))
              .offeredFor(SEARCH, WRITE),

          // One engine in one mode.
          pools(PmemEngine.JDK, PmemMode.FILE).usedFor(COMMIT, TEST, TEST_CHUNKS),
          pools(PmemEngine.LLPL, PmemMode.EMULATED).usedFor(COMMIT, TEST_LLPL, TEST_CHUNKS),
          pools(PmemEngine.LLPL, PmemMode.PMEM).usedFor(COMMIT, TEST_PMEM, TEST_CHUNKS),
          pools(PmemEngine.JDK, PmemMode.PMEM).usedFor(COMMIT, TEST_PMEM, TEST_CHUNKS),

          // Small, for tests. All that is merged, or read from end to end, bypasses the page cache.
          files(
                  "NioDirectory(blockBytes=16, directMergeBytes=1)",
                  folder -> NioDirectory.builder(folder).blockBytes(16).directMergeBytes(1).build())
              .usedFor(TEST),
          files(
                  "BlockCacheDirectory(NioDirectory, maxBytes=" + 8 * BLOCK_BYTES + ")",
                  folder ->
                      Owned.over(
                          cache(BLOCK_BYTES, 8L * BLOCK_BYTES),
                          cache -> new BlockCacheDirectory(new NioDirectory(folder), cache)))
              .usedFor(TEST),
          files(
                  "BlockCacheDirectory(MappedDirectory)",
                  folder ->
                      Owned.over(
                          cache(1 << 14, LIMIT_BYTES),
                          cache -> new BlockCacheDirectory(new MappedDirectory(folder), cache)))
              .usedFor(TEST),
          // As where no index fits in memory; some files go through the wrapper.
          files(
                  "HybridDirectory(memoryBytes=-1, positional=BlockCacheDirectory)",
                  folder ->
                      Owned.over(
                          cache(BLOCK_BYTES, 64L * BLOCK_BYTES),
                          cache ->
                              HybridDirectory.builder(folder)
                                  .memoryBytes(() -> -1)
                                  .read("cfs", AccessMode.POSITIONAL)
                                  .read("fdt", AccessMode.POSITIONAL)
                                  .read("tim", AccessMode.POSITIONAL)
                                  .positional(files -> new BlockCacheDirectory(files, cache))
                                  .build()))
              .usedFor(TEST),
          Variant.of(
                  "RamDirectory(maxBytes=" + LIMIT_BYTES + ", hugePages=NEVER)",
                  Storage.MEMORY,
                  (_, _) ->
                      RamDirectory.builder()
                          .maxBytes(LIMIT_BYTES)
                          .hugePages(HugePages.NEVER)
                          .build())
              .usedFor(TEST),
          Variant.of(
                  "RamDirectory(backing=NioDirectory)",
                  Storage.MEMORY_AND_FILES,
                  (folder, _) ->
                      Owned.over(
                          new NioDirectory(folder),
                          files -> RamDirectory.builder().backing(files).build()))
              .usedFor(TEST),
          // Every file begins to be written when it is closed.
          Variant.of(
                  "RamDirectory(backing=MappedDirectory, writeBehindBytes=1)",
                  Storage.MEMORY_AND_FILES,
                  (folder, _) ->
                      Owned.over(
                          new MappedDirectory(folder),
                          files ->
                              RamDirectory.builder().backing(files).writeBehindBytes(1).build()))
              .usedFor(TEST));

  private Variants() {}

  private static Variant files(String name, IOFunction<Path, Directory> opener) {
    return Variant.of(name, Storage.FILES, (folder, _) -> opener.apply(folder));
  }

  private static Variant pools(PmemEngine engine, PmemMode mode) {
    return Variant.of(
        "PmemDirectory(engine=" + engine + ", mode=" + mode + ")",
        Storage.POOLS,
        (folder, sizes) -> Pools.open(folder, sizes, engine, mode));
  }

  private static Directory mapped(Path folder, Sizes sizes) throws IOException {
    return sizes
        .chunks(MappedDirectory.builder(folder), MappedDirectory.Builder::chunkBytes)
        .build();
  }

  private static Directory hybrid(Path folder, Sizes sizes) throws IOException {
    return sizes
        .chunks(HybridDirectory.builder(folder), HybridDirectory.Builder::chunkBytes)
        .build();
  }

  private static Directory ram(Path folder, Sizes sizes) throws IOException {
    return sizes.chunks(RamDirectory.builder(), RamDirectory.Builder::chunkBytes).build();
  }

  private static Directory loadRam(Path index) throws IOException {
    try (Directory files = new MappedDirectory(index)) {
      return RamDirectory.load(files);
    }
  }

  private static Directory nrtCaching(Directory files, Sizes sizes) {
    return new NRTCachingDirectory(files, sizes.mergeMegabytes(), sizes.cacheMegabytes());
  }

  private static Directory nrtCache(Directory files, Sizes sizes) throws IOException {
    return new NrtCacheDirectory(files, sizes.mergeMegabytes(), sizes.cacheMegabytes());
  }

  /** Merges go through the page cache though memory is scarce. */
  private static Directory cachingMerges(Path folder) throws IOException {
    return HybridDirectory.builder(folder).directMergeBytes(Long.MAX_VALUE).build();
  }

  /** With advice by context: the one-line change that helps where memory is scarce. */
  private static Directory advised(Path folder) throws IOException {
    MMapDirectory directory = new MMapDirectory(folder);
    directory.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);
    return directory;
  }

  private static Directory preloaded(Path folder) throws IOException {
    MMapDirectory directory = new MMapDirectory(folder);
    directory.setPreload(MMapDirectory.ALL_FILES);
    return directory;
  }

  /** Raw vectors past the page cache, all else mapped. */
  private static Directory directVectors(Path folder) throws IOException {
    return direct(folder, DIRECT_BYTES, name -> name.endsWith(".vec"));
  }

  /** Some files past the page cache, so many bytes at once, a power of two; all else mapped. */
  public static Directory direct(Path folder, int bytes, Predicate<String> some)
      throws IOException {
    return new DirectIODirectory(new MMapDirectory(folder), bytes, 0) {
      @Override
      protected boolean useDirectIO(String name, IOContext context, OptionalLong fileLength) {
        return some.test(name);
      }
    };
  }

  private static BlockCache cache(int blockBytes, long maxBytes) throws IOException {
    return BlockCache.builder().blockBytes(blockBytes).maxBytes(maxBytes).build();
  }

  /** All variants that can be used for something. */
  public static List<Variant> all(Use use) {
    return ALL.stream().filter(variant -> variant.uses().contains(use)).toList();
  }

  /** The variants that are used unless the user names others. */
  public static List<Variant> defaults(Use use) {
    return ALL.stream().filter(variant -> variant.defaults().contains(use)).toList();
  }

  /**
   * The variant of a name. Case does not matter. For searching, a name may also say the size of a
   * cache: {@code BlockCacheDirectory[16KiB,25%]}.
   *
   * @throws IllegalArgumentException if there is none for this use; the message names all there are
   */
  public static Variant named(String name, Use use) {
    String wanted = name.strip();
    if (use == SEARCH && CachedDirectory.isSized(wanted)) {
      return CachedDirectory.sized(wanted);
    }
    return all(use).stream()
        .filter(variant -> variant.name().equalsIgnoreCase(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown directory '"
                        + wanted
                        + "': choose from "
                        + all(use).stream().map(Variant::name).collect(Collectors.joining(", "))));
  }
}
