// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.paired;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What one JVM measured of one directory.
 *
 * @param rates of each kind in queries per second: the baseline's median over its turns, times the
 *     middle of this directory's ratios to the baseline, turn by turn
 * @param turns of each kind: the rate of every turn, in the order of the rounds
 * @param allocatedBytes on the heap, for each query
 * @param collecting the share of its turns that garbage collections took
 * @param warmupSeconds how long the JVM warmed up
 * @param compiling the JIT compiler's time as a share of the measured time, of the whole JVM
 */
public record PairedSamples(
    Map<String, Double> rates,
    Map<String, List<Double>> turns,
    double allocatedBytes,
    double collecting,
    double warmupSeconds,
    double compiling,
    String directory) {

  double rate(String kind) {
    return Objects.requireNonNull(rates.get(kind), kind);
  }

  List<Double> turns(String kind) {
    return Objects.requireNonNull(turns.get(kind), kind);
  }
}
