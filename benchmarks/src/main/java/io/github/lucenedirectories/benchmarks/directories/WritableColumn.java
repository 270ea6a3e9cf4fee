package io.github.lucenedirectories.benchmarks.directories;

import java.util.ArrayList;
import java.util.List;

/**
 * One column of a comparison of directories that are written to.
 *
 * @param label unique in its comparison
 * @param metered whether the directory's own time is measured
 */
public record WritableColumn(String label, WritableDirectory directory, boolean metered) {

  /**
   * The columns of a comparison: the baseline, the baseline once more so that a reader sees how far
   * two equal columns lie apart, then each name once.
   *
   * @param meterCost whether the baseline runs without the meter too
   */
  public static List<WritableColumn> columns(
      WritableDirectory baseline, List<String> names, boolean meterCost) {
    List<WritableColumn> columns = new ArrayList<>();
    columns.add(of(baseline));
    columns.add(new WritableColumn(baseline.label() + " (again)", baseline, true));
    if (meterCost) {
      columns.add(new WritableColumn(baseline.label() + " (no meter)", baseline, false));
    }
    for (String name : names) {
      WritableColumn column = of(WritableDirectory.named(name.strip()));
      if (!columns.contains(column)) {
        columns.add(column);
      }
    }
    return List.copyOf(columns);
  }

  private static WritableColumn of(WritableDirectory directory) {
    return new WritableColumn(directory.label(), directory, true);
  }
}
