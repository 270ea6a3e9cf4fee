package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.directories.WritableColumn;
import io.github.lucenedirectories.benchmarks.directories.WritableDirectory;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One place of the grid: a directory in a JVM with a collector and a heap.
 *
 * @param label unique in its run
 * @param baseline the label of the column with the same collector and heap that it is compared
 *     with; its own if it is that one
 */
record LoadColumn(
    String label,
    String baseline,
    WritableDirectory directory,
    Collector collector,
    long heapMegabytes) {
  private static final String AGAIN = " (again)";

  /**
   * The grid: for each collector and heap the baseline, the baseline once more, and each directory
   * once.
   */
  static List<LoadColumn> grid(
      WritableDirectory baseline,
      List<String> directories,
      List<Collector> collectors,
      List<Long> heapMegabytes) {
    boolean several = collectors.size() * heapMegabytes.size() > 1;
    List<LoadColumn> grid = new ArrayList<>();
    for (Collector collector : collectors) {
      for (long heap : heapMegabytes) {
        String where =
            several ? String.format(Locale.ROOT, " %s %dm", collector.label(), heap) : "";
        String base = baseline.label() + where;
        for (WritableColumn column : WritableColumn.columns(baseline, directories, false)) {
          boolean again = !column.label().equals(column.directory().label());
          grid.add(
              new LoadColumn(
                  column.directory().label() + where + (again ? AGAIN : ""),
                  base,
                  column.directory(),
                  collector,
                  heap));
        }
      }
    }
    return List.copyOf(grid);
  }
}
