package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variants;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One column of a comparison: a variant, and what else tells its forks from those of other columns.
 *
 * @param label unique in a run
 * @param variant the variant's name
 * @param settings what a workload varies besides the variant: the garbage collector, the folder's
 *     file system, a second directory in the same JVM
 */
public record Column(String label, String variant, Map<String, String> settings) {
  public Column {
    settings = Map.copyOf(settings);
  }

  /** A variant and nothing else. */
  public static Column of(Variant variant) {
    return new Column(variant.name(), variant.name(), Map.of());
  }

  /**
   * The columns of a comparison: the baseline, the baseline again as a control, then each name
   * once.
   *
   * @throws UsageException if a name is unknown
   */
  public static List<Column> compared(Column baseline, List<String> names, Variant.Use use) {
    return compared(baseline, names.stream().map(name -> of(find(name, use))).toList());
  }

  /** The columns of a comparison: the baseline, its control, then each other column once. */
  public static List<Column> compared(Column baseline, List<Column> others) {
    return Stream.concat(Stream.of(baseline, baseline.again()), others.stream())
        .distinct()
        .toList();
  }

  /** As {@link Variants#named}, for a name that the user typed. */
  public static Variant find(String name, Variant.Use use) {
    try {
      return Variants.named(name, use);
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The control: the same column under another label, so equal but for noise. */
  public Column again() {
    return new Column(controlOf(label), variant, settings);
  }

  /** The label of the control of a column. */
  public static String controlOf(String label) {
    return Results.controlOf(label);
  }

  /** The same column with one more setting. */
  public Column with(String label, String key, String value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(key, value);
    return new Column(label, variant, more);
  }
}
