package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.results.Medians;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;

/**
 * What the forks of one benchmark with one choice of parameters gave.
 *
 * @param benchmark class and method, without the package
 * @param parameters by name, in JMH's order
 * @param unit JMH's, such as {@code ns/op}
 * @param times of an operation, one for each fork in the order of the rounds: the median of its
 *     iterations, or of its samples
 * @param slowest the 99th percentile of the samples of each fork; empty where calls are not sampled
 */
record Measurement(
    String benchmark,
    Map<String, String> parameters,
    String unit,
    List<Double> times,
    List<Double> slowest) {
  private static final double MIDDLE_PERCENTILE = 50;
  private static final double SLOWEST_PERCENTILE = 99;

  static Measurement of(RunResult result) {
    BenchmarkParams params = result.getParams();
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String name : params.getParamsKeys()) {
      parameters.put(name, params.getParam(name));
    }
    boolean sampled = params.getMode() == Mode.SampleTime;
    Collection<BenchmarkResult> forks = result.getBenchmarkResults();
    return new Measurement(
        shortName(params.getBenchmark()),
        parameters,
        result.getPrimaryResult().getScoreUnit(),
        ofEach(forks, fork -> sampled ? percentile(fork, MIDDLE_PERCENTILE) : middle(fork)),
        sampled ? ofEach(forks, fork -> percentile(fork, SLOWEST_PERCENTILE)) : List.of());
  }

  /** A benchmark's name without the package that all of them share. */
  static String shortName(String benchmark) {
    String prefix = Measurement.class.getPackageName() + ".";
    return benchmark.startsWith(prefix) ? benchmark.substring(prefix.length()) : benchmark;
  }

  private static List<Double> ofEach(
      Collection<BenchmarkResult> forks, ToDoubleFunction<BenchmarkResult> value) {
    return forks.stream().mapToDouble(value).boxed().toList();
  }

  private static double middle(BenchmarkResult fork) {
    List<Double> scores = new ArrayList<>();
    fork.getIterationResults()
        .forEach(iteration -> scores.add(iteration.getPrimaryResult().getScore()));
    return Medians.of(scores);
  }

  private static double percentile(BenchmarkResult fork, double percentile) {
    return fork.getPrimaryResult().getStatistics().getPercentile(percentile);
  }
}
