package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.nio.NioDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.lucene.store.Directory;

/**
 * Positional reads through a block cache whose size the name tells.
 *
 * @param blockKiB length of a block
 * @param sharePercent of the index that has room in the cache
 */
record SizedBlockCache(int blockKiB, int sharePercent) implements ReadableDirectory {
  private static final String PREFIX = BenchmarkDirectory.BLOCK_CACHE.label() + "[";
  private static final Pattern NAME =
      Pattern.compile(
          Pattern.quote(PREFIX) + "(\\d{1,3})KiB,(\\d{1,3})%\\]", Pattern.CASE_INSENSITIVE);
  private static final int LEAST_KIB = 4;
  private static final int MOST_KIB = 256;
  private static final int ALL = 100;

  /** Whether a name is to be read by {@link #parse}. */
  static boolean isMeant(String name) {
    return name.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
  }

  /**
   * The one of a name.
   *
   * @throws UsageException if the name does not tell a size that a cache can have
   */
  static SizedBlockCache parse(String name) {
    Matcher matcher = NAME.matcher(name);
    if (matcher.matches()) {
      int blockKiB = Integer.parseInt(matcher.group(1));
      int share = Integer.parseInt(matcher.group(2));
      boolean isLength =
          blockKiB >= LEAST_KIB && blockKiB <= MOST_KIB && Integer.bitCount(blockKiB) == 1;
      if (isLength && share >= 1 && share <= ALL) {
        return new SizedBlockCache(blockKiB, share);
      }
    }
    throw new UsageException(
        String.format(
            Locale.ROOT,
            "unknown directory '%s': it must be like %s16KiB,25%%]: blocks of %d to %d KiB (a"
                + " power of two), and a cache of 1 to %d per cent of the index",
            name,
            PREFIX,
            LEAST_KIB,
            MOST_KIB,
            ALL));
  }

  @Override
  public String label() {
    return PREFIX + blockKiB + "KiB," + sharePercent + "%]";
  }

  @Override
  public boolean usesHeap() {
    return false;
  }

  @Override
  public double shareInMemory() {
    return (double) sharePercent / ALL;
  }

  @Override
  public Directory open(Path index) throws IOException {
    return OwnCacheDirectory.open(new NioDirectory(index), blockKiB << 10, shareInMemory());
  }
}
