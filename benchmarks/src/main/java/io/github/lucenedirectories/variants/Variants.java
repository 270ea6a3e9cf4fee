// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import static io.github.lucenedirectories.variants.Variant.Use.COMMIT;
import static io.github.lucenedirectories.variants.Variant.Use.SEARCH;
import static io.github.lucenedirectories.variants.Variant.Use.WRITE;

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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.IOFunction;

/** The list of all variants. A new directory, or a new choice of options, is one entry here. */
public final class Variants {

  /** What the other variants are compared with. */
  public static final String BASELINE = "MMapDirectory";

  /* Of caches of new files: the largest flush or merge that they keep, and all of them. */
  private static final double MERGE_MEGABYTES = 5;
  private static final double CACHE_MEGABYTES = 60;

  /* In the order of reports. */
  private static final List<Variant> ALL =
      Stream.concat(
              Stream.of(
                  // Lucene's.
                  files(BASELINE, MMapDirectory::new).usedFor(SEARCH, WRITE, COMMIT),
                  files("NIOFSDirectory", NIOFSDirectory::new).usedFor(SEARCH, WRITE),
                  Variant.of(
                          "ByteBuffersDirectory",
                          Storage.HEAP,
                          (_, _) -> new ByteBuffersDirectory())
                      .reading(
                          1, (index, _) -> LastCommit.copied(index, new ByteBuffersDirectory()))
                      .usedFor(SEARCH, WRITE),
                  Variant.of(
                          "NRTCachingDirectory",
                          Storage.HEAP,
                          (folder, _) -> nrtCaching(new MMapDirectory(folder)))
                      .usedFor(WRITE),

                  // This project's, with their defaults.
                  files("MappedDirectory", MappedDirectory::new).usedFor(SEARCH, WRITE),
                  Variant.of("RamDirectory", Storage.MEMORY, (_, _) -> new RamDirectory())
                      .reading(1, (index, _) -> loadRam(index))
                      .usedFor(SEARCH, WRITE),
                  files("NioDirectory", NioDirectory::new).usedFor(SEARCH, WRITE),
                  files("HybridDirectory", HybridDirectory::new).usedFor(SEARCH, WRITE, COMMIT),
                  Variant.of(
                          "RamDirectory-backed",
                          Storage.MEMORY_AND_FILES,
                          (folder, _) ->
                              OwningDirectory.over(
                                  new MappedDirectory(folder),
                                  files -> RamDirectory.builder().backing(files).build()))
                      .usedFor(WRITE, COMMIT),
                  Variant.of("PmemDirectory", Storage.POOLS, PmemVariants::openBest)
                      .reading(1, PmemVariants::read)
                      .usedFor(WRITE)
                      .offeredFor(SEARCH),
                  Variant.of(
                          "NrtCacheDirectory",
                          Storage.MEMORY_AND_FILES,
                          (folder, _) -> nrtCache(new MappedDirectory(folder)))
                      .usedFor(WRITE),

                  // With other options.
                  files("HybridDirectory-cachedMerges", Variants::cachingMerges).offeredFor(SEARCH),
                  files("MMapDirectory-advised", Variants::advised).offeredFor(SEARCH),
                  Variant.of(
                          "NRTCachingDirectory-NIOFS",
                          Storage.HEAP,
                          (folder, _) -> nrtCaching(new NIOFSDirectory(folder)))
                      .offeredFor(WRITE),
                  Variant.of(
                          "NrtCacheDirectory-Nio",
                          Storage.MEMORY_AND_FILES,
                          (folder, _) -> nrtCache(new NioDirectory(folder)))
                      .offeredFor(WRITE),
                  Variant.of(
                          "NrtCacheDirectory-Hybrid",
                          Storage.MEMORY_AND_FILES,
                          (folder, _) -> nrtCache(new HybridDirectory(folder)))
                      .offeredFor(WRITE, COMMIT),
                  // Lucene's mapping in the place of the pools: the difference is what the pools
                  // change.
                  Variant.of(
                          "MMapDirectory-pmem",
                          Storage.POOLS,
                          (folder, _) -> new MMapDirectory(folder))
                      .reading(
                          1,
                          (index, scratch) -> LastCommit.copied(index, new MMapDirectory(scratch)))
                      .offeredFor(SEARCH, WRITE),

                  // One engine in one mode.
                  pools(PmemEngine.JDK, PmemMode.FILE).usedFor(COMMIT),
                  pools(PmemEngine.LLPL, PmemMode.EMULATED).usedFor(COMMIT),
                  pools(PmemEngine.LLPL, PmemMode.PMEM).usedFor(COMMIT),
                  pools(PmemEngine.JDK, PmemMode.PMEM).usedFor(COMMIT)),
              CachedDirectory.variants().stream())
          .toList();

  private Variants() {}

  private static Variant files(String name, IOFunction<Path, Directory> opener) {
    return Variant.of(name, Storage.FILES, (folder, _) -> opener.apply(folder));
  }

  private static Variant pools(PmemEngine engine, PmemMode mode) {
    return Variant.of(
        "PmemDirectory(engine=" + engine + ", mode=" + mode + ")",
        Storage.POOLS,
        (folder, poolBytes) -> PmemVariants.open(folder, poolBytes, engine, mode));
  }

  private static Directory loadRam(Path index) throws IOException {
    try (Directory files = new MappedDirectory(index)) {
      return RamDirectory.load(files);
    }
  }

  private static Directory nrtCaching(Directory files) {
    return new NRTCachingDirectory(files, MERGE_MEGABYTES, CACHE_MEGABYTES);
  }

  private static Directory nrtCache(Directory files) throws IOException {
    return new NrtCacheDirectory(files, MERGE_MEGABYTES, CACHE_MEGABYTES);
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

  /** All variants that can be used for something. */
  public static List<Variant> all(Use use) {
    return ALL.stream().filter(variant -> variant.uses().contains(use)).toList();
  }

  /** The variants that are used unless the user names others. */
  public static List<Variant> defaults(Use use) {
    return ALL.stream().filter(variant -> variant.defaults().contains(use)).toList();
  }

  /**
   * The variant of a name. Case does not matter.
   *
   * @throws IllegalArgumentException if there is none for this use; the message names all there are
   */
  public static Variant named(String name, Use use) {
    String wanted = name.strip();
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
