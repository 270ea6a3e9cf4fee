// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Medians;
import io.github.lucenedirectories.benchmarks.workload.DirectorySelection;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code micro}: single operations. JMH runs them, once for every column in each round. */
@Command(
    name = "micro",
    description = {
      "Measure single operations with JMH: reads, clones, slices, open and close.",
      "All of them together take hours; name some, or use --quick."
    })
public final class MicroWorkload extends Workload<MicroWorkload.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(3, 0.9, 1.5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(1, 0.4, 0.6);
  private static final int ITERATION_MILLIS = 300;
  private static final int HEAP_MEGABYTES = 1024;
  private static final String DIRECTORY = "directory";

  static final List<String> DIRECTORIES =
      List.of(
          Variants.BASELINE,
          "NIOFSDirectory",
          "ByteBuffersDirectory",
          "MappedDirectory",
          "RamDirectory",
          "NioDirectory");

  @Parameters(
      paramLabel = "PATTERN",
      description = "regular expressions for benchmark names, such as RandomReads or Views.slice$")
  private List<String> patterns = List.of();

  @Option(names = "--list", description = "name the benchmarks that match, and run none")
  private boolean list;

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Option(
      names = {"-p", "--param"},
      paramLabel = "NAME=VALUE[,VALUE]",
      description = "values for a parameter that --list shows, such as fileBytes=256m")
  private Map<String, String> parameters = Map.of();

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that run a benchmark at the same time (default: ${DEFAULT-VALUE})",
      defaultValue = "1")
  private int threads = 1;

  /* The unit of each figure, in the order of the runs: JMH says it with the first result. */
  private final transient Map<String, String> units = new LinkedHashMap<>();

  private List<String> benchmarks = List.of();
  private int warmups;
  private int iterations;

  /** The figures of one column in one round, by name. */
  public record Samples(Map<String, Double> values) {}

  @Override
  public Integer call() throws IOException {
    if (!list) {
      return super.call();
    }
    PrintWriter out = run.out();
    for (BenchmarkListEntry entry : matching()) {
      StringBuilder line = new StringBuilder(shortName(entry.getUsername()));
      parameters(entry)
          .forEach((name, values) -> line.append(' ' + name + '=' + String.join(",", values)));
      out.println(line);
    }
    out.flush();
    return 0;
  }

  @Override
  public Plan plan(Host host) throws IOException {
    RunOptions.positive("--threads", threads);
    RunOptions.Defaults values = run.values(FULL, QUICK);
    Set<BenchmarkListEntry> entries = matching();
    checkParameters(entries);
    warmups = iterations(values.warmupSeconds());
    iterations = Math.max(1, iterations(values.seconds()));
    benchmarks = entries.stream().map(BenchmarkListEntry::getUsername).toList();
    return new Plan(
        directories.columns(Variants.BASELINE, DIRECTORIES, Use.WRITE),
        List.of(Variants.BASELINE),
        List.of(),
        values.forks(),
        new JvmFlags(HEAP_MEGABYTES, JvmFlags.Collector.G1),
        "Single operations",
        List.of(
            "Measured by JMH, in a JVM for each benchmark, directory and round. A time is the"
                + " median of a JVM's iterations; where calls are sampled, the median of the"
                + " calls, and p99 their 99th percentile."),
        Map.of(),
        List.of());
  }

  private static int iterations(double seconds) {
    return (int) Math.round(seconds * 1e3 / ITERATION_MILLIS);
  }

  private Set<BenchmarkListEntry> matching() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    OutputFormat silent = OutputFormatFactory.createFormatInstance(nowhere, VerboseMode.SILENT);
    Set<BenchmarkListEntry> all = new TreeSet<>();
    for (String pattern : patterns.isEmpty() ? List.of("") : patterns) {
      try {
        var found = BenchmarkList.defaultList().find(silent, List.of(pattern), List.of());
        RunOptions.refuse(
            found.isEmpty(),
            "no benchmark's name contains '" + pattern + "': ./run micro --list names them");
        all.addAll(found);
      } catch (PatternSyntaxException e) {
        throw new UsageException(
            "not a regular expression: '" + e.getPattern() + "' (" + e.getDescription() + ")", e);
      }
    }
    return all;
  }

  private void checkParameters(Set<BenchmarkListEntry> entries) {
    Set<String> known = new TreeSet<>();
    entries.forEach(entry -> known.addAll(parameters(entry).keySet()));
    for (String name : parameters.keySet()) {
      RunOptions.refuse(
          !known.contains(name), "no parameter '" + name + "': these benchmarks have " + known);
    }
  }

  private static Map<String, List<String>> parameters(BenchmarkListEntry entry) {
    Map<String, List<String>> all = new TreeMap<>();
    entry.getParams().orElse(Map.of()).forEach((name, values) -> all.put(name, List.of(values)));
    all.remove(DIRECTORY);
    return all;
  }

  @Override
  public Samples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    Path log = host.workspace().file("jmh.log");
    host.workspace()
        .alsoClose(
            () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly));
    TimeValue time = TimeValue.milliseconds(ITERATION_MILLIS);
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .forks(1)
            .warmupIterations(warmups)
            .warmupTime(time)
            .measurementIterations(iterations)
            .measurementTime(time)
            .threads(threads)
            .shouldFailOnError(true)
            .output(log.toString())
            .param(DIRECTORY, column.variant())
            .jvmArgs(plan.flags().flags().toArray(String[]::new))
            .jvmArgsAppend("-D" + DirectoryState.FOLDER + "=" + host.scratch());
    benchmarks.forEach(benchmark -> options.include("^" + Pattern.quote(benchmark) + "$"));
    parameters.forEach((name, values) -> options.param(name, values.split(",")));
    Map<String, Double> values = new LinkedHashMap<>();
    try {
      for (RunResult result : new Runner(options.build()).run()) {
        take(result, values);
      }
    } catch (RunnerException e) {
      throw new RunFailedException("a benchmark failed: " + reason(log, e), e);
    }
    return new Samples(values);
  }

  private static String reason(Path log, RunnerException e) throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.matches("\\S*(Exception|Error)\\b.*"))
          .findFirst()
          .orElse(String.valueOf(e.getMessage()));
    }
  }

  private void take(RunResult result, Map<String, Double> values) {
    StringBuilder task = new StringBuilder(shortName(result.getParams().getBenchmark()));
    for (String name : result.getParams().getParamsKeys()) {
      if (!name.equals(DIRECTORY)) {
        task.append(' ' + name + '=' + result.getParams().getParam(name));
      }
    }
    Result<?> primary = result.getPrimaryResult();
    String unit = primary.getScoreUnit();
    if (result.getParams().getMode() == Mode.SampleTime) {
      put(values, task.toString(), unit, primary.getStatistics().getPercentile(50));
      put(values, task + " p99", unit, primary.getStatistics().getPercentile(99));
    } else {
      double[] scores =
          result.getAggregatedResult().getIterationResults().stream()
              .mapToDouble(iteration -> iteration.getPrimaryResult().getScore())
              .toArray();
      put(values, task.toString(), unit, Medians.of(scores));
    }
  }

  private void put(Map<String, Double> values, String task, String unit, double value) {
    units.put(task, unit);
    values.put(task, value);
  }

  /** The class and the method, without what encloses the class. */
  private static String shortName(String benchmark) {
    String[] parts = benchmark.split("\\.", -1);
    return parts[parts.length - 2] + "." + parts[parts.length - 1];
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    List<Figure<Samples>> times = new ArrayList<>();
    units.forEach(
        (task, unit) ->
            times.add(new Figure<>(task, task, unit, Better.LOWER, s -> s.values().get(task))));
    return List.of(
        Figures.everywhere("Time of an operation", "Of one operation of each benchmark.", times));
  }

  @Override
  public Samples run(Column column, Fork fork) {
    throw new UnsupportedOperationException("JMH starts the forks");
  }
}
