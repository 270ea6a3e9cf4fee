// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.results.Results;
import java.util.List;
import java.util.Map;

/**
 * What a workload will do, after its options were checked and its input was prepared.
 *
 * @param columns in the order of reports; the first is the baseline
 * @param references labels of columns that all others are compared with, the baseline first
 * @param notes what was measured and how, a paragraph each
 * @param facts what the results record besides the workload's fields
 * @param skipped what was asked for and cannot run here
 */
public record Plan(
    List<Column> columns,
    List<String> references,
    List<Pair> pairs,
    int forks,
    JvmFlags flags,
    String title,
    List<String> notes,
    Map<String, ?> facts,
    List<Results.Skipped> skipped) {

  /** A column, and the one that it is compared with. */
  public record Pair(String column, String reference) {}
}
