package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.util.List;
import picocli.CommandLine.Option;

/** The option of workloads that write: into which directories. */
final class WriteOptions {
  @Option(
      names = "--directories",
      split = Variants.SEPARATOR,
      splitSynopsisLabel = ",",
      paramLabel = "NAME",
      description = "the directories to compare with the baseline (default: all common ones)")
  private List<String> directories = List.of();

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
    return Column.compared(
        Column.of(Column.find(baseline, Use.WRITE)),
        directories.isEmpty() ? usual : directories,
        Use.WRITE);
  }

  /** Whether a directory of these columns holds its files on the Java heap. */
  static boolean useHeap(List<Column> columns) {
    return columns.stream().anyMatch(c -> Variants.named(c.variant(), Use.WRITE).usesHeap());
  }
}
