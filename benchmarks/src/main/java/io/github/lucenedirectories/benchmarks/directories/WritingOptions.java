package io.github.lucenedirectories.benchmarks.directories;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of workloads that write: which directories, and what is written. */
public final class WritingOptions {

  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "NAME",
      description =
          "the directories to compare with the baseline (default: all but the last three):"
              + " MMapDirectory, NIOFSDirectory, ByteBuffersDirectory, NRTCachingDirectory (over"
              + " MMapDirectory), MappedDirectory, HybridDirectory, NioDirectory, RamDirectory,"
              + " RamDirectory-backed and NrtCacheDirectory (both over MappedDirectory),"
              + " PmemDirectory (mode PMEM with --dax, else EMULATED in /dev/shm, or FILE where LLPL"
              + " cannot be loaded), NRTCachingDirectory-NIOFS, NrtCacheDirectory-Nio,"
              + " MMapDirectory-pmem (where PmemDirectory is)")
  private List<String> directories = List.of();

  @Option(
      names = "--cache-merge-mb",
      paramLabel = "MB",
      description =
          "the largest flush or merge that the caching directories keep in memory"
              + " (default: ${DEFAULT-VALUE})",
      defaultValue = "5")
  private double cacheMergeMegabytes = 5;

  @Option(
      names = "--cache-mb",
      paramLabel = "MB",
      description = "what the caching directories keep in memory (default: ${DEFAULT-VALUE})",
      defaultValue = "60")
  private double cacheMegabytes = 60;

  @Option(
      names = "--vectors",
      description = "documents have a vector too; its graph then takes most of the time")
  private boolean vectors;

  @Option(
      names = "--meter-cost",
      description = "run the baseline also without measuring its own time, to see what that costs")
  private boolean meterCost;

  /**
   * Refuses what makes no sense.
   *
   * @throws UsageException if a size is not positive
   */
  public void check() {
    RunOptions.positive("--cache-merge-mb", cacheMergeMegabytes);
    RunOptions.positive("--cache-mb", cacheMegabytes);
  }

  /**
   * The columns to compare.
   *
   * @param otherwise the names to take where the user gave none
   */
  public List<WritableColumn> columns(WritableDirectory baseline, List<String> otherwise) {
    return WritableColumn.columns(
        baseline, directories.isEmpty() ? otherwise : directories, meterCost);
  }

  /** The size of the caches. */
  public CacheSize cache() {
    return new CacheSize(cacheMergeMegabytes, cacheMegabytes);
  }

  /** Whether documents have a vector. */
  public boolean vectors() {
    return vectors;
  }
}
