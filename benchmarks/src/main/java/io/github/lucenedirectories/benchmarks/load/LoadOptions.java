package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.directories.WritableDirectory;
import io.github.lucenedirectories.benchmarks.harness.CommonOptions;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import io.github.lucenedirectories.benchmarks.harness.MillisConverter;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.micro.ByteCount;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of the load itself: which columns, what goes on, how requests come. */
final class LoadOptions {
  private static final int MEBIBYTE_SHIFT = 20;
  private static final int UPDATES = 100;

  private static final double MOST_RATE = 200_000;

  /* A step's moments are held in memory. */
  private static final int MOST_REQUESTS = 5_000_000;

  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "NAME",
      description =
          "to compare with MMapDirectory (default: RamDirectory,HybridDirectory); nrt --help lists"
              + " all")
  private List<String> directories =
      List.of(WritableDirectory.RAM.label(), WritableDirectory.HYBRID.label());

  @Option(
      names = "--gc",
      split = ",",
      paramLabel = "NAME",
      description =
          "the server's garbage collectors: G1, ZGC, Parallel, Shenandoah, Serial (default: G1)")
  private List<Collector> collectors = List.of(Collector.G1);

  @Option(
      names = "--heap",
      split = ",",
      paramLabel = "BYTES",
      description = "the server's heaps, such as 512m,2g (default: 1g)",
      converter = ByteCount.class)
  private List<Long> heaps = List.of(1L << 30);

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})",
      defaultValue = "2")
  private int threads = 2;

  @Option(
      names = "--updates",
      paramLabel = "N",
      description =
          "documents updated each second; 0 for an index that stays as it is (default: 100, with"
              + " --index 0)")
  private @Nullable Integer updates;

  @Option(
      names = "--reopen-millis",
      paramLabel = "MS",
      description = "from one reopen to the next (default: ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private int reopenMillis = 1000;

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description = "requests a second to measure; default: search for the capacity")
  private List<Double> rates = List.of();

  @Option(
      names = "--sla",
      paramLabel = "TIME",
      description = "the limit of p99 (default: ${DEFAULT-VALUE})",
      defaultValue = "100ms",
      converter = MillisConverter.class)
  private double limitMillis = 100;

  @Option(
      names = "--step-seconds",
      paramLabel = "S",
      description = "at each rate; twice that at the rate in common (default: 5, with --quick 2)")
  private @Nullable Double stepSeconds;

  @Option(
      names = "--warmup",
      paramLabel = "S",
      description = "dropped in each fork (default: 10, with --quick 3)")
  private @Nullable Double warmupSeconds;

  @Option(
      names = "--freeze",
      paramLabel = "S",
      description =
          "stop the server for S seconds in the middle of each step, to see that the client keeps"
              + " its rate; only with --rates")
  private @Nullable Double freezeSeconds;

  @Option(
      names = "--forks",
      paramLabel = "N",
      description = "servers of each column (default: 5, with --quick 2)")
  private @Nullable Integer forks;

  @Option(
      names = "--resume",
      description = "go on with a run that was interrupted: keep the cells that --out has")
  private boolean resume;

  @Option(names = "--quick", description = "fewer and shorter forks")
  private boolean quick;

  @Mixin private CommonOptions common = new CommonOptions();

  /**
   * What the user asked for.
   *
   * @param isIndexGiven whether the index exists: its documents cannot be made anew
   * @throws UsageException if a number makes no sense
   */
  LoadPlan plan(boolean isIndexGiven) {
    int perSecond = updates != null ? updates : isIndexGiven ? 0 : UPDATES;
    if (perSecond < 0) {
      throw new UsageException("--updates must not be negative: " + perSecond);
    }
    if (isIndexGiven && perSecond > 0) {
      throw new UsageException(
          "--index names an index whose documents cannot be made anew: give --updates 0");
    }
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    int forkCount = forks != null ? forks : quick ? 2 : 5;
    RunOptions.positive("--forks", forkCount);
    return new LoadPlan(
        columns(), forkCount, new LoadPlan.Live(threads, perSecond, reopenMillis), pace(), seed());
  }

  private List<LoadColumn> columns() {
    for (long bytes : heaps) {
      if (bytes >> MEBIBYTE_SHIFT == 0) {
        throw new UsageException("--heap must be at least 1m: " + bytes);
      }
    }
    return LoadColumn.grid(
        WritableDirectory.MMAP,
        directories,
        collectors.stream().distinct().toList(),
        heaps.stream().map(bytes -> bytes >> MEBIBYTE_SHIFT).distinct().toList());
  }

  /** How requests come. */
  LoadPlan.Pace pace() {
    double step = stepSeconds != null ? stepSeconds : quick ? 2 : 5;
    double warmup = warmupSeconds != null ? warmupSeconds : quick ? 3 : 10;
    double freeze = freezeSeconds != null ? freezeSeconds : 0;
    RunOptions.positive("--step-seconds", step);
    RunOptions.positive("--warmup", warmup);
    for (double rate : rates) {
      RunOptions.positive("--rates", rate);
      if (rate > MOST_RATE) {
        throw new UsageException("--rates must be at most " + MOST_RATE + ": " + rate);
      }
      if (rate * Math.max(step, warmup) > MOST_REQUESTS) {
        throw new UsageException(
            String.format(
                Locale.ROOT,
                "--rates times --step-seconds, or --warmup, must be at most %,d requests: %,.0f for"
                    + " %,.0f s",
                MOST_REQUESTS,
                rate,
                Math.max(step, warmup)));
      }
    }
    if (freezeSeconds != null) {
      RunOptions.positive("--freeze", freeze);
      if (rates.isEmpty()) {
        throw new UsageException("--freeze needs given rates: add --rates");
      }
      if (freeze > step / 2) {
        throw new UsageException(
            "--freeze must be at most half of --step-seconds: " + freeze + " of " + step);
      }
    }
    return new LoadPlan.Pace(
        rates.stream().distinct().toList(),
        limitMillis,
        warmup,
        step,
        2 * step,
        quick ? 2 : 1,
        freeze);
  }

  /**
   * The one column of a server that listens for other machines.
   *
   * @throws UsageException if several are named
   */
  LoadColumn serverColumn() {
    if (directories.size() != 1 || collectors.size() != 1 || heaps.size() != 1) {
      throw new UsageException(
          "--serve needs one directory, collector and heap: give --directories NAME and at most one"
              + " of --gc and of --heap");
    }
    WritableDirectory directory = WritableDirectory.named(directories.get(0).strip());
    return columns().stream()
        .filter(column -> column.directory() == directory)
        .findFirst()
        .orElseThrow();
  }

  boolean isResumed() {
    return resume;
  }

  boolean isQuick() {
    return quick;
  }

  long seed() {
    return common.seed();
  }

  Path out() {
    return common.out(LoadCommand.NAME);
  }
}
