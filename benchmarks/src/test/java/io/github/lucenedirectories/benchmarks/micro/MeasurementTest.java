package io.github.lucenedirectories.benchmarks.micro;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.results.AverageTimeResult;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.IterationResultMetaData;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ResultRole;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.SampleTimeResult;
import org.openjdk.jmh.runner.IterationType;
import org.openjdk.jmh.runner.WorkloadParams;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.util.SampleBuffer;

class MeasurementTest {
  private static final String NAME = Measurement.class.getPackageName() + ".RandomReads.readByte";
  private static final IterationParams ITERATION =
      new IterationParams(IterationType.MEASUREMENT, 3, TimeValue.seconds(1), 1);

  @Test
  void aForksTimeIsTheMedianOfItsIterations() {
    Measurement measurement =
        Measurement.of(run(Mode.AverageTime, List.of(averages(7, 5, 90), averages(3, 3, 4))));
    assertEquals("RandomReads.readByte", measurement.benchmark());
    assertEquals(Map.of("directory", "RamDirectory"), measurement.parameters());
    assertEquals("ns/op", measurement.unit());
    assertEquals(List.of(7.0, 3.0), measurement.times());
    assertEquals(List.of(), measurement.slowest());
  }

  @Test
  void sampledTimesGiveTheMedianAndTheSlowest() {
    // Of a hundred samples the 99th percentile lies between the two largest.
    long[] samples = new long[100];
    Arrays.fill(samples, 10);
    samples[98] = 200;
    samples[99] = 200;
    Measurement measurement =
        Measurement.of(run(Mode.SampleTime, List.of(List.of(sampled(samples)))));
    assertEquals(List.of(10.0), measurement.times());
    assertEquals(List.of(200.0), measurement.slowest());
  }

  private static List<Result<?>> averages(long... nanos) {
    List<Result<?>> results = new ArrayList<>();
    for (long time : nanos) {
      results.add(
          new AverageTimeResult(ResultRole.PRIMARY, "readByte", 1, time, TimeUnit.NANOSECONDS));
    }
    return results;
  }

  private static Result<?> sampled(long... nanos) {
    SampleBuffer buffer = new SampleBuffer();
    for (long time : nanos) {
      buffer.add(time);
    }
    return new SampleTimeResult(ResultRole.PRIMARY, "readByte", buffer, TimeUnit.NANOSECONDS);
  }

  /** A run with one fork for each list of iterations. */
  private static RunResult run(Mode mode, List<List<Result<?>>> forks) {
    BenchmarkParams params = params(mode);
    List<BenchmarkResult> results = new ArrayList<>();
    for (List<Result<?>> fork : forks) {
      List<IterationResult> iterations = new ArrayList<>();
      for (Result<?> result : fork) {
        IterationResult iteration =
            new IterationResult(params, ITERATION, new IterationResultMetaData(1, 1));
        iteration.addResult(result);
        iterations.add(iteration);
      }
      results.add(new BenchmarkResult(params, iterations));
    }
    return new RunResult(params, results);
  }

  private static BenchmarkParams params(Mode mode) {
    WorkloadParams parameters = new WorkloadParams();
    parameters.put("directory", "RamDirectory", 0);
    return new BenchmarkParams(
        NAME,
        NAME,
        false,
        1,
        new int[] {1},
        List.of(),
        2,
        0,
        ITERATION,
        ITERATION,
        mode,
        parameters,
        TimeUnit.NANOSECONDS,
        1,
        "java",
        List.of(),
        "25",
        "VM",
        "25",
        "1.37",
        TimeValue.minutes(1));
  }
}
