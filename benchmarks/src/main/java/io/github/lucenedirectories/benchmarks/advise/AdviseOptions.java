package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.CommonOptions;
import io.github.lucenedirectories.benchmarks.harness.MillisConverter;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.limit.LimitOption;
import io.github.lucenedirectories.benchmarks.micro.ByteCount;
import io.github.lucenedirectories.benchmarks.prepare.ExistingIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** What a user says of the index, its queries and the machine that will serve it. */
final class AdviseOptions {
  private static final double MILLIS_IN_SECOND = 1e3;
  private static final int MEBIBYTE_SHIFT = 20;

  @Parameters(index = "0", paramLabel = "INDEX", description = "the index's folder; only read")
  private Path index = Path.of("");

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description =
          "your queries, plain or gzip: one a line in Lucene's classic syntax, or a luceneutil task"
              + " file; lines that name a field (title:word) are left out, and of each kind at most"
              + " 1,000 are taken, at random (default: picked from the index's words)")
  private @Nullable Path queries;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "the text field (default: the one with most terms that have positions)")
  private @Nullable String field;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description =
          "for everything, about; where it is too short, fewer directories are measured (default:"
              + " ${DEFAULT-VALUE})",
      defaultValue = "3m",
      converter = MillisConverter.class)
  private double timeMillis = 3 * 60e3;

  @Option(
      names = "--heap",
      paramLabel = "BYTES",
      description =
          "the Java heap of your application, such as 512m or 2g (default: a fifth of the memory, at"
              + " most 1g)",
      converter = ByteCount.class)
  private @Nullable Long heapBytes;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "recommend for a container of so much memory: 700m, 1g, or 50%% of the index; needs Linux"
              + " and the right to make control groups (default: all memory there is)")
  private @Nullable String limit;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private int threads = 1;

  @Mixin private CommonOptions common = new CommonOptions();

  /**
   * Refuses what cannot be measured.
   *
   * @throws UsageException if a number makes no sense, there is no such folder or file, or results
   *     would be written into the index
   */
  void check() throws IOException {
    RunOptions.positive("--threads", threads);
    Long heap = heapBytes;
    if (heap != null && heap >> MEBIBYTE_SHIFT == 0) {
      throw new UsageException("--heap must be at least 1m: " + heap);
    }
    limit();
    ExistingIndex.checkFolder(index);
    if (isInside(out(), index)) {
      throw new UsageException(
          "--out "
              + out()
              + " is in the index, where nothing is ever written: name another folder");
    }
    if (queries != null && !Files.isRegularFile(queries)) {
      throw new UsageException("no such file: " + queries);
    }
  }

  private static boolean isInside(Path out, Path folder) throws IOException {
    Path inside = folder.toRealPath();
    Path there = out.toAbsolutePath().normalize();
    while (there != null && !Files.exists(there)) {
      there = there.getParent();
    }
    return there != null && there.toRealPath().startsWith(inside);
  }

  Path index() {
    return index;
  }

  @Nullable Path queries() {
    return queries;
  }

  @Nullable String field() {
    return field;
  }

  double seconds() {
    return timeMillis / MILLIS_IN_SECOND;
  }

  /** Null for the default. */
  @Nullable Long heapMegabytes() {
    return heapBytes == null ? null : Long.valueOf(heapBytes >> MEBIBYTE_SHIFT);
  }

  /** Null for none. */
  @Nullable LimitOption limit() {
    return limit == null ? null : LimitOption.parse("--limit", limit);
  }

  int threads() {
    return threads;
  }

  long seed() {
    return common.seed();
  }

  Path out() {
    return common.out(AdviseCommand.NAME);
  }
}
