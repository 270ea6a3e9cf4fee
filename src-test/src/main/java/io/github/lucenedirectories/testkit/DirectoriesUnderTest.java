// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit;

import static io.github.lucenedirectories.internal.os.PathCounter.CHANNEL_MAP;
import static io.github.lucenedirectories.internal.os.PathCounter.CONTIGUOUS_INPUT;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_ADVICE;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_MEMORY;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_READ_FILE;
import static io.github.lucenedirectories.testkit.DirectoryUnderTest.CONTIGUOUS;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Loaded;
import io.github.lucenedirectories.testkit.DirectoryUnderTest.Way;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Storage;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The directories that all suites run: the {@link Variants} for tests. A new directory is added
 * there. An entry in {@link #WAYS} lets the suites also check how it reads.
 */
public final class DirectoriesUnderTest {

  /** Small enough that every file of an index is cut, large enough to run a whole index. */
  private static final long SMALL_CHUNK_BYTES = 64;

  private static final int PAGE_BYTES = 4_096;
  private static final String TINY_CACHE =
      "BlockCacheDirectory(NioDirectory, maxBytes=" + 8 * PAGE_BYTES + ")";

  private static final Set<PathCounter> MEMORY = Set.of(CONTIGUOUS_INPUT, NATIVE_MEMORY);
  private static final Way CACHED =
      new Way(Loaded.AS_FOUND, false, PAGE_BYTES, Set.of(NATIVE_READ_FILE, NATIVE_MEMORY));

  /** True where the folders of tests are in persistent memory. */
  private static final String IN_PERSISTENT_MEMORY = "testkit.pmem";

  /* How directories read, by the name of a variant, or of the class for all its other variants. */
  private static final Map<String, Way> WAYS =
      Map.ofEntries(
          Map.entry("NioDirectory", positional(1_024)),
          Map.entry("NioDirectory(blockBytes=16, directMergeBytes=1)", positional(16)),
          Map.entry(
              "MappedDirectory",
              // A file that is read once is not mapped.
              way(Loaded.ALWAYS, CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_ADVICE, NATIVE_READ_FILE)),
          Map.entry(
              "HybridDirectory",
              // No advice: all of a test's files fit in memory.
              way(Loaded.ALWAYS, CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_READ_FILE)),
          Map.entry(
              "HybridDirectory(memoryBytes=-1, positional=BlockCacheDirectory)",
              new Way(Loaded.AS_MAPPED_OR_CACHED, false, PAGE_BYTES, Set.of())),
          Map.entry(TINY_CACHE, CACHED),
          Map.entry(
              "BlockCacheDirectory(MappedDirectory)",
              new Way(
                  Loaded.ALWAYS,
                  false,
                  1 << 14,
                  Set.of(
                      CONTIGUOUS_INPUT,
                      CHANNEL_MAP,
                      NATIVE_ADVICE,
                      NATIVE_READ_FILE,
                      NATIVE_MEMORY))),
          Map.entry("RamDirectory", way(Loaded.ALWAYS, CONTIGUOUS_INPUT, NATIVE_MEMORY)),
          Map.entry("NrtCacheDirectory", way(Loaded.ALWAYS, CONTIGUOUS_INPUT, NATIVE_MEMORY)),
          Map.entry("NrtCacheDirectory-Nio", new Way(Loaded.ALWAYS, false, PAGE_BYTES, MEMORY)),
          Map.entry("PmemDirectory", way(Loaded.ALWAYS, CONTIGUOUS_INPUT)));

  /* One variant for each way to read: the others read like one of these. */
  private static final List<String> READER_NAMES =
      List.of(
          "NioDirectory",
          "NioDirectory(blockBytes=16, directMergeBytes=1)",
          TINY_CACHE,
          "MappedDirectory",
          "RamDirectory",
          "PmemDirectory(engine=JDK, mode=FILE)");

  private static final List<DirectoryUnderTest> READERS = makeReaders();
  private static final List<DirectoryUnderTest> ALL = makeAll();

  private DirectoriesUnderTest() {}

  /** Through memory segments. */
  private static Way way(Loaded loaded, PathCounter... nativePaths) {
    return new Way(loaded, true, PAGE_BYTES, Set.of(nativePaths));
  }

  private static Way positional(int blockBytes) {
    return new Way(Loaded.AS_CACHED, false, blockBytes, Set.of(NATIVE_READ_FILE));
  }

  /** A variant with what is known of it: by its name, by its class, or by its storage alone. */
  private static DirectoryUnderTest of(Variant variant) {
    Loaded loaded = variant.storage() == Storage.FILES ? Loaded.AS_MAPPED_OR_CACHED : Loaded.ALWAYS;
    Way unknown = new Way(loaded, false, PAGE_BYTES, Set.of());
    Way ofClass = WAYS.getOrDefault(variant.name().split("\\W", 2)[0], unknown);
    return new DirectoryUnderTest(
        variant.name(),
        (path, bytes) ->
            variant.open(
                path, bytes == CONTIGUOUS ? Sizes.SMALL : Sizes.SMALL.withChunkBytes(bytes)),
        variant.uses().contains(Use.TEST_CHUNKS),
        CONTIGUOUS,
        variant.storage(),
        WAYS.getOrDefault(variant.name(), ofClass));
  }

  private static List<DirectoryUnderTest> makeReaders() {
    return READER_NAMES.stream()
        .map(name -> of(Variants.named(name, Use.TEST)))
        .flatMap(
            reader ->
                reader.chunkable()
                    ? Stream.of(reader, reader.chunked(SMALL_CHUNK_BYTES))
                    : Stream.of(reader))
        .toList();
  }

  private static List<DirectoryUnderTest> makeAll() {
    List<Variant> variants = new ArrayList<>(Variants.all(Use.TEST));
    if (Llpl.loads()) {
      variants.addAll(Variants.all(Use.TEST_LLPL));
    }
    if (Boolean.getBoolean(IN_PERSISTENT_MEMORY)) {
      variants.addAll(Variants.all(Use.TEST_PMEM));
    }
    List<DirectoryUnderTest> all = new ArrayList<>(READERS);
    variants.stream()
        .filter(variant -> !READER_NAMES.contains(variant.name()))
        .map(DirectoriesUnderTest::of)
        .forEach(all::add);
    return List.copyOf(all);
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
