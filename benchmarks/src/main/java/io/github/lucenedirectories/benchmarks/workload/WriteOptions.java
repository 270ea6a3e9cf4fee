package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import picocli.CommandLine.Option;

/** The options of workloads that write: into which directories, and what. */
final class WriteOptions {
  private static final String TIMED = "timed";

  @Option(
      names = "--directories",
      split = Variants.SEPARATOR,
      splitSynopsisLabel = ",",
      paramLabel = "NAME",
      description = "the directories to compare with the baseline (default: all common ones)")
  private List<String> directories = List.of();

  @Option(
      names = "--cache-merge-mb",
      paramLabel = "MB",
      description =
          "largest flush or merge that caches of new files keep in memory (default:"
              + " ${DEFAULT-VALUE})",
      defaultValue = "5")
  private double cacheMergeMegabytes = 5;

  @Option(
      names = "--cache-mb",
      paramLabel = "MB",
      description = "all that caches of new files keep in memory (default: ${DEFAULT-VALUE})",
      defaultValue = "60")
  private double cacheMegabytes = 60;

  @Option(
      names = "--vectors",
      description = "documents have a vector too; its graph then takes most of the time")
  private boolean vectors;

  @Option(
      names = "--meter-cost",
      description =
          "run the baseline also without measuring the directory's own time, to see what that"
              + " costs")
  private boolean meterCost;

  void check() {
    RunOptions.positive("--cache-merge-mb", cacheMergeMegabytes);
    RunOptions.positive("--cache-mb", cacheMegabytes);
  }

  /**
   * The columns to compare.
   *
   * @param otherwise names to take if the user gave none; empty for the usual ones
   */
  List<Column> columns(String baseline, List<String> otherwise) {
    List<String> usual =
        otherwise.isEmpty()
            ? Variants.defaults(Use.WRITE).stream().map(Variant::name).toList()
            : otherwise;
    Column first = Column.of(Column.find(baseline, Use.WRITE));
    List<Column> columns =
        new ArrayList<>(
            Column.compared(first, directories.isEmpty() ? usual : directories, Use.WRITE));
    if (meterCost) {
      columns.add(2, first.with(baseline + " (no meter)", TIMED, "false"));
    }
    return columns;
  }

  /** The sizes of caches of new files. */
  Sizes sizes() {
    return Sizes.DEFAULT.withCache(cacheMergeMegabytes, cacheMegabytes);
  }

  boolean vectors() {
    return vectors;
  }

  /** A directory whose own time is measured, unless the column is the one that goes without. */
  static Directory timed(Column column, Directory directory, DirectoryTimer timer) {
    return "false".equals(column.settings().get(TIMED))
        ? directory
        : new TimedDirectory(directory, timer);
  }
}
