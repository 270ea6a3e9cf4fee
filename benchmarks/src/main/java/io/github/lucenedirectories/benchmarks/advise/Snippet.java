package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.variants.CachedDirectory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a user opens a directory: code to paste, and where it comes from.
 *
 * @param artifact as Maven names it; null for Lucene's own
 */
record Snippet(String code, @Nullable String artifact) {
  private static final String GROUP = "io.github.lucenedirectories:";
  private static final String MMAP = GROUP + "directory-mmap";
  private static final String RAM = GROUP + "directory-ram";
  private static final int MEBIBYTE_SHIFT = 20;

  /**
   * The one of a directory.
   *
   * @param pageCacheBytes what the page cache can hold
   */
  static Snippet of(String directory, long indexBytes, long pageCacheBytes) {
    return switch (directory) {
      case Rules.ADVISED ->
          new Snippet(
              "MMapDirectory directory = new MMapDirectory(path);"
                  + " directory.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);",
              null);
      case Rules.HYBRID, Rules.MAPPED -> opened(directory, MMAP);
      case Rules.NIO -> opened(directory, GROUP + "directory-core");
      case Rules.CACHED ->
          new Snippet(
              "BlockCache cache = BlockCache.builder().maxBytes("
                  + (CachedDirectory.capacityBytes(indexBytes, pageCacheBytes) >> MEBIBYTE_SHIFT)
                  + "L << 20).build(); Directory directory = new BlockCacheDirectory(new"
                  + " NioDirectory(path), cache);",
              RAM);
      case Rules.RAM ->
          new Snippet(
              "Directory directory; try (Directory files = new MappedDirectory(path)) {"
                  + " directory = RamDirectory.load(files); }",
              RAM + " and " + MMAP);
      default -> opened(directory, null);
    };
  }

  private static Snippet opened(String directory, @Nullable String artifact) {
    return new Snippet("Directory directory = new " + directory + "(path);", artifact);
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
}
