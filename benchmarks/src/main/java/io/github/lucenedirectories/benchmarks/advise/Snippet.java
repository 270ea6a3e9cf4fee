package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.directories.OwnCacheDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How a user opens a directory: code to paste, where it comes from, and the JVM's flags.
 *
 * @param artifact as Maven names it; null for Lucene's own
 */
record Snippet(String code, @Nullable String artifact) {
  private static final String GROUP = "io.github.lucenedirectories:";
  private static final String MMAP = GROUP + "directory-mmap";
  private static final String CORE = GROUP + "directory-core";
  private static final String RAM = GROUP + "directory-ram";
  private static final int MEBIBYTE_SHIFT = 20;

  /**
   * The one of a directory.
   *
   * @param pageCacheBytes what the page cache can hold
   */
  static Snippet of(BenchmarkDirectory directory, long indexBytes, long pageCacheBytes) {
    return switch (directory) {
      case MMAP_ADVISED ->
          new Snippet(
              "MMapDirectory directory = new MMapDirectory(path);"
                  + " directory.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);",
              null);
      case HYBRID -> new Snippet("Directory directory = new HybridDirectory(path);", MMAP);
      case MAPPED -> new Snippet("Directory directory = new MappedDirectory(path);", MMAP);
      case NIO -> new Snippet("Directory directory = new NioDirectory(path);", CORE);
      case BLOCK_CACHE ->
          new Snippet(
              String.format(
                  Locale.ROOT,
                  "BlockCache cache = BlockCache.builder().maxBytes(%dL << 20).build();"
                      + " Directory directory = new BlockCacheDirectory(new NioDirectory(path),"
                      + " cache);",
                  mebibytes(OwnCacheDirectory.capacityBytes(indexBytes, pageCacheBytes))),
              RAM);
      case RAM ->
          new Snippet(
              "Directory directory; try (Directory files = new MappedDirectory(path)) {"
                  + " directory = RamDirectory.load(files); }",
              RAM + " and " + MMAP);
      default -> new Snippet("Directory directory = new MMapDirectory(path);", null);
    };
  }

  /**
   * The flags that a JVM of a user needs for what was measured.
   *
   * @param heapMegabytes the user's; null if the user named none
   */
  static List<String> jvmFlags(@Nullable Long heapMegabytes) {
    List<String> flags =
        new ArrayList<>(
            List.of("--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"));
    if (heapMegabytes != null) {
      flags.add("-Xmx" + heapMegabytes + "m");
    }
    return flags;
  }

  private static long mebibytes(long bytes) {
    return bytes >> MEBIBYTE_SHIFT;
  }
}
