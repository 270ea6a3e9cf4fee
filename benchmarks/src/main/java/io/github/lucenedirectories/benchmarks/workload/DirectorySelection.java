// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that says which directories are compared with the baseline. */
public final class DirectorySelection {
  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "NAME",
      description =
          "the directories to compare with the baseline (default: the common ones);"
              + " BlockCacheDirectory-16KiB-25%%: blocks of 4, 16 or 64 KiB, and a cache of 10, 25 or"
              + " 50 %% of the index, for searches")
  private List<String> given = List.of();

  /** The names, or others if the user gave none; if those are empty the usual ones. */
  List<String> names(List<String> otherwise, Use use) {
    List<String> usual =
        otherwise.isEmpty()
            ? Variants.defaults(use).stream().map(Variant::name).toList()
            : otherwise;
    return given.isEmpty() ? usual : given;
  }

  /** The columns to compare; parameters as of {@link #names}. */
  public List<Column> columns(String baseline, List<String> otherwise, Use use) {
    return Column.compared(baseline, names(otherwise, use), use);
  }

  /** Whether a directory of these columns holds its files on the Java heap. */
  static boolean useHeap(List<Column> columns, Use use) {
    return columns.stream().anyMatch(column -> column.named(use).usesHeap());
  }
}
