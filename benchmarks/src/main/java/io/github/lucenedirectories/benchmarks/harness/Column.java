// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variants;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A variant, under a label that is unique in a run, and what else a workload varies. */
public record Column(String label, String variant, Map<String, String> settings) {
  public Column {
    settings = Map.copyOf(settings);
  }

  /** The column of a variant and nothing else. Refuses a name that is unknown. */
  public static Column of(String name, Variant.Use use) {
    try {
      String variant = Variants.named(name, use).name();
      return new Column(variant, variant, Map.of());
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The columns of a comparison: the baseline, the same as a control, then each other one once. */
  public static List<Column> compared(String baseline, List<String> names, Variant.Use use) {
    return compared(of(baseline, use), names.stream().map(name -> of(name, use)).toList());
  }

  static List<Column> compared(Column baseline, List<Column> others) {
    return Stream.concat(Stream.of(baseline, baseline.again()), others.stream())
        .distinct()
        .toList();
  }

  public Variant named(Variant.Use use) {
    return Variants.named(variant, use);
  }

  /** The control: the same column under another label, so equal but for noise. */
  public Column again() {
    return new Column(Results.controlOf(label), variant, settings);
  }

  public Column with(String newLabel, String key, String value) {
    Map<String, String> more = new HashMap<>(settings);
    more.put(key, value);
    return new Column(newLabel, variant, more);
  }
}
