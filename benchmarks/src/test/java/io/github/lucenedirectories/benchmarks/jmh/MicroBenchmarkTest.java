// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

class MicroBenchmarkTest {
  @Test
  void everyOperationRunsOnEveryDirectory() throws Exception {
    Options options =
        new OptionsBuilder()
            .include(MicroBenchmark.class.getName())
            .param("fileMegabytes", "1")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(10))
            .shouldFailOnError(true)
            .build();
    long operations =
        Arrays.stream(MicroBenchmark.class.getMethods())
            .filter(method -> method.isAnnotationPresent(Benchmark.class))
            .count();
    int directories =
        MicroBenchmark.class.getField("directory").getAnnotation(Param.class).value().length;
    assertEquals(operations * directories, new Runner(options).run().size());
  }
}
