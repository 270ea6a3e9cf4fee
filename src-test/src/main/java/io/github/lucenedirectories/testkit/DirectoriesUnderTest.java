package io.github.lucenedirectories.testkit;

import static io.github.lucenedirectories.internal.os.PathCounter.CHANNEL_MAP;
import static io.github.lucenedirectories.internal.os.PathCounter.CONTIGUOUS_INPUT;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_ADVICE;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_MEMORY;
import static io.github.lucenedirectories.internal.os.PathCounter.NATIVE_READ_FILE;

import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.mmap.ChangingDirectory;
import io.github.lucenedirectories.testkit.Capabilities.Loaded;
import io.github.lucenedirectories.testkit.Capabilities.Storage;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

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

  /** True where the folders of tests are in persistent memory. */
  private static final String IN_PERSISTENT_MEMORY = "testkit.pmem";

  /* How directories read, by the name of a variant, or of the class for all its other variants. */
  private static final Map<String, Capabilities> WAYS =
      Map.ofEntries(
          Map.entry("NioDirectory", positional(1_024)),
          Map.entry("NioDirectory(blockBytes=16, directMergeBytes=1)", positional(16)),
          Map.entry(
              "MappedDirectory",
              way(
                  Loaded.AS_MAPPED,
                  true,
                  // A file that is read once is not mapped.
                  Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_ADVICE, NATIVE_READ_FILE))),
          Map.entry(
              "HybridDirectory",
              way(
                  Loaded.AS_MAPPED,
                  true,
                  // No advice: all of a test's files fit in memory.
                  Set.of(CONTIGUOUS_INPUT, CHANNEL_MAP, NATIVE_READ_FILE))),
          Map.entry("HybridDirectory(memoryBytes=-1, positional=BlockCacheDirectory)", cached()),
          Map.entry(TINY_CACHE, cached()),
          Map.entry(
              "BlockCacheDirectory(MappedDirectory)",
              way(
                      Loaded.AS_MAPPED,
                      false,
                      Set.of(
                          CONTIGUOUS_INPUT,
                          CHANNEL_MAP,
                          NATIVE_ADVICE,
                          NATIVE_READ_FILE,
                          NATIVE_MEMORY))
                  .withEdgeBytes(1 << 14)),
          Map.entry("RamDirectory", way(Loaded.ALWAYS, true, MEMORY)),
          Map.entry("NrtCacheDirectory", way(Loaded.ALWAYS, true, MEMORY)),
          Map.entry("NrtCacheDirectory-Nio", way(Loaded.ALWAYS, false, MEMORY)),
          Map.entry("PmemDirectory", way(Loaded.ALWAYS, true, Set.of(CONTIGUOUS_INPUT))));

  /* One variant for each way to read: the others read like one of these. */
  private static final List<String> READERS =
      List.of(
          "NioDirectory",
          "NioDirectory(blockBytes=16, directMergeBytes=1)",
          TINY_CACHE,
          "MappedDirectory",
          "RamDirectory",
          "PmemDirectory(engine=JDK, mode=FILE)");

  private DirectoriesUnderTest() {}

  private static Capabilities way(
      Loaded loaded, boolean memorySegments, Set<PathCounter> nativePaths) {
    return new Capabilities(
        Storage.FILES, loaded, memorySegments, Capabilities.CONTIGUOUS, PAGE_BYTES, nativePaths);
  }

  private static Capabilities positional(int blockBytes) {
    return way(Loaded.AS_CACHED, false, Set.of(NATIVE_READ_FILE)).withEdgeBytes(blockBytes);
  }

  private static Capabilities cached() {
    return way(Loaded.AS_FOUND, false, Set.of(NATIVE_READ_FILE, NATIVE_MEMORY));
  }

  /** A variant with what is known of it: by its name, by its class, or by its storage alone. */
  private static DirectoryUnderTest of(Variant variant) {
    Storage storage =
        switch (variant.storage()) {
          case FILES -> Storage.FILES;
          case HEAP, MEMORY -> Storage.MEMORY;
          case MEMORY_AND_FILES -> Storage.MEMORY_AND_FILES;
          case POOLS -> Storage.POOLS;
        };
    Capabilities unknown =
        way(storage == Storage.FILES ? Loaded.AS_MAPPED_OR_CACHED : Loaded.ALWAYS, false, Set.of());
    Capabilities ofClass = WAYS.getOrDefault(variant.name().split("\\W", 2)[0], unknown);
    return new DirectoryUnderTest(
        variant.name(),
        path -> variant.open(path, Sizes.SMALL),
        WAYS.getOrDefault(variant.name(), ofClass).withStorage(storage),
        variant.uses().contains(Use.TEST_CHUNKS)
            ? (path, bytes) -> variant.open(path, Sizes.SMALL.withChunkBytes(bytes))
            : null);
  }

  /** As where memory becomes short, and does not stay so: an index is read in both ways at once. */
  private static DirectoryUnderTest changing() {
    return new DirectoryUnderTest(
        "ChangingDirectory",
        ChangingDirectory::open,
        way(Loaded.AS_MAPPED_OR_CACHED, false, Set.of()),
        null);
  }

  /** All directories, each with every choice of options that matters. */
  public static List<DirectoryUnderTest> all() {
    List<Variant> variants = new ArrayList<>(Variants.all(Use.TEST));
    if (Llpl.loads()) {
      variants.addAll(Variants.all(Use.TEST_LLPL));
    }
    if (Boolean.getBoolean(IN_PERSISTENT_MEMORY)) {
      variants.addAll(Variants.all(Use.TEST_PMEM));
    }
    List<DirectoryUnderTest> all = new ArrayList<>(readers());
    variants.stream()
        .filter(variant -> !READERS.contains(variant.name()))
        .map(DirectoriesUnderTest::of)
        .forEach(all::add);
    all.add(changing());
    return List.copyOf(all);
  }

  /** A directory over a cache that holds next to nothing. */
  public static DirectoryUnderTest tinyCache() {
    return of(Variants.named(TINY_CACHE, Use.TEST));
  }

  /** One for each way to read: the others read like one of these. */
  public static List<DirectoryUnderTest> readers() {
    List<DirectoryUnderTest> readers = new ArrayList<>();
    for (String name : READERS) {
      DirectoryUnderTest reader = of(Variants.named(name, Use.TEST));
      readers.add(reader);
      if (reader.chunkable()) {
        readers.add(reader.chunked(SMALL_CHUNK_BYTES));
      }
    }
    return readers;
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
