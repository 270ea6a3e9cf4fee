package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * What to measure.
 *
 * @param patterns regular expressions, of which a benchmark's name contains one; none selects all
 * @param parameters values to use in place of a parameter's own
 * @param forks JVMs for each benchmark and choice of parameters
 * @param length of each fork
 * @param threads that run a benchmark at the same time
 * @param profilers JMH's names for them
 * @param jvmArguments for the forks, after those that every fork has
 */
record MicroSettings(
    List<String> patterns,
    Map<String, List<String>> parameters,
    int forks,
    Length length,
    int threads,
    List<String> profilers,
    List<String> jvmArguments) {
  private static final String HEAP_FLAG = "-Xmx";

  /*
   * SIMD and native access for every directory alike. The heap has one fixed size, since a growing
   * one would favour the benchmarks that run after the growth.
   */
  private static final List<String> FORK_ARGUMENTS =
      List.of(
          "-Xms1g",
          HEAP_FLAG + "1g",
          "--add-modules",
          "jdk.incubator.vector",
          "--enable-native-access=ALL-UNNAMED");

  /**
   * How long a fork measures.
   *
   * @param warmups iterations before the measured ones
   * @param iterations measured ones
   * @param iterationMillis the length of an iteration of either kind
   */
  record Length(int warmups, int iterations, int iterationMillis) {
    /** What a fork takes beside its iterations: start of the JVM, files, end. */
    private static final double START_SECONDS = 1.2;

    double seconds() {
      return START_SECONDS + (warmups + iterations) * iterationMillis / 1e3;
    }

    @Override
    public String toString() {
      return iterations + " iterations of " + iterationMillis + " ms after " + warmups;
    }
  }

  /** JMH's options for one fork of everything. */
  Options round(TemporaryFolder folder) {
    TimeValue iterationTime = TimeValue.milliseconds(length.iterationMillis);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(length.warmups)
            .warmupTime(iterationTime)
            .measurementIterations(length.iterations)
            .measurementTime(iterationTime)
            .threads(threads)
            .shouldFailOnError(true)
            .jvmArgs(forkArguments(folder).toArray(String[]::new));
    patterns.forEach(options::include);
    parameters.forEach((name, values) -> options.param(name, values.toArray(String[]::new)));
    profilers.forEach(profiler -> addProfiler(options, profiler));
    return options.build();
  }

  /** The flags of every fork. */
  List<String> jvmFlags() {
    List<String> flags = new ArrayList<>(FORK_ARGUMENTS);
    flags.addAll(jvmArguments);
    return flags;
  }

  /**
   * The largest heap that these flags give a fork.
   *
   * @throws UsageException if a flag gives a size that is no number of bytes
   */
  long heapBytes() {
    long bytes = 0;
    for (String flag : jvmFlags()) {
      if (flag.startsWith(HEAP_FLAG)) {
        try {
          bytes = ByteCount.parse(flag.substring(HEAP_FLAG.length()));
        } catch (IllegalArgumentException e) {
          throw new UsageException("--jvm-arg=" + flag + ": " + e.getMessage(), e);
        }
      }
    }
    return bytes;
  }

  private List<String> forkArguments(TemporaryFolder folder) {
    List<String> arguments = jvmFlags();
    arguments.add("-D" + TemporaryFolder.PARENT_PROPERTY + "=" + folder.path());
    return arguments;
  }

  /** JMH takes a profiler's own options behind a colon. */
  private static void addProfiler(ChainedOptionsBuilder options, String profiler) {
    int colon = profiler.indexOf(':');
    if (colon < 0) {
      options.addProfiler(profiler);
    } else {
      options.addProfiler(profiler.substring(0, colon), profiler.substring(colon + 1));
    }
  }
}
