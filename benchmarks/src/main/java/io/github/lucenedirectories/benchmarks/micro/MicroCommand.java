package io.github.lucenedirectories.benchmarks.micro;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command that runs the JMH benchmarks and prints a table of them. */
@Command(
    name = "micro",
    mixinStandardHelpOptions = true,
    description = {
      "Measures single operations of every directory with JMH: reads, clones, slices, open and"
          + " close, writes, and what two directories in one JVM cost each other.",
      "All of them together take about an hour; name some, or use --quick."
    })
public final class MicroCommand implements Callable<Integer> {
  private static final int FORKS = 3;
  private static final MicroSettings.Length FULL = new MicroSettings.Length(3, 5, 300);
  private static final MicroSettings.Length QUICK = new MicroSettings.Length(2, 3, 200);

  @Parameters(
      paramLabel = "PATTERN",
      description = "Regular expressions for benchmark names, such as RandomReads or readLong$.")
  private List<String> patterns = List.of();

  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "NAME",
      description = "The directories, comma-separated; all six by default.")
  private List<String> directories = List.of();

  @Option(names = "--quick", description = "One short fork each: a first look, no intervals.")
  private boolean quick;

  @Option(
      names = "--forks",
      paramLabel = "N",
      description = "JVMs for each benchmark and directory, interleaved; 3 by default.")
  private @Nullable Integer forks;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Measured iterations in a fork; 5 by default.")
  private @Nullable Integer iterations;

  @Option(
      names = "--millis",
      paramLabel = "N",
      description = "The length of an iteration in milliseconds; 300 by default.")
  private @Nullable Integer iterationMillis;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Threads that run a benchmark at the same time; 1 by default.")
  private int threads;

  @Option(
      names = {"-p", "--param"},
      paramLabel = "NAME=VALUE[,VALUE]",
      description = "Values for a parameter that --list shows, such as fileBytes=256m.")
  private Map<String, String> parameters = Map.of();

  @Option(
      names = "--profiler",
      paramLabel = "NAME",
      description = "A profiler of JMH's, such as gc; its figures go into micro.json.")
  private List<String> profilers = List.of();

  @Option(
      names = "--jvm-arg",
      paramLabel = "ARG",
      description = "An argument for the forked JVMs, such as --jvm-arg=-Xmx4g.")
  private List<String> jvmArguments = List.of();

  @Option(names = "--list", description = "Name the benchmarks that match, and run none.")
  private boolean list;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "A folder for micro.json, as JMH writes it, and micro.txt, the table.")
  private @Nullable Path outFolder;

  @Option(names = "--verbose", description = "Show all that JMH prints.")
  private boolean verbose;

  @Spec private CommandSpec spec;

  /**
   * Runs the command.
   *
   * @return the exit status 0
   * @throws UsageException if an option names something that does not exist, or if there is too
   *     little disk space or memory
   * @throws IOException if there is no room for temporary files or for the results
   */
  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Catalog catalog = Catalog.matching(patterns);
    if (list) {
      catalog.lines().forEach(out::println);
      out.flush();
      return 0;
    }
    Map<String, List<String>> values = new ParameterValues(parameters, directories).asMap();
    catalog.checkParameters(values);
    if (quick) {
      values.putIfAbsent(ChainFile.LENGTH, List.of(ChainFile.QUICK_LENGTH));
    }
    MicroSettings settings = settings(values);
    checkRoomForChains(catalog.having(ChainFile.LENGTH), settings);
    Path folder = outFolder;
    if (folder != null) {
      MicroReport.prepare(folder);
    }
    int totalForks = settings.forks() * catalog.size(settings.parameters());
    out.println(
        totalForks + " forks, about " + readableSeconds(totalForks * settings.length().seconds()));
    out.flush();

    MicroProgress progress = new MicroProgress(out, totalForks, verbose);
    MicroReport report = new MicroReport(settings, new MicroRun(settings, progress).run());
    out.println();
    report.lines().forEach(out::println);
    if (folder != null) {
      report.write(folder).forEach(file -> out.println("wrote " + file));
    }
    out.flush();
    return 0;
  }

  private static void checkRoomForChains(Catalog chains, MicroSettings settings)
      throws IOException {
    Set<String> directories = chains.values(ParameterValues.DIRECTORY, settings.parameters());
    boolean onHeap = directories.contains(DirectoryKind.LUCENE_HEAP.className());
    for (String chainBytes : chains.values(ChainFile.LENGTH, settings.parameters())) {
      ChainFile.checkRoom(TemporaryFolder.parent(), chainBytes, settings.heapBytes(), onHeap);
    }
  }

  private static String readableSeconds(double seconds) {
    return MicroProgress.readable(Duration.ofSeconds(Math.round(seconds)));
  }

  private MicroSettings settings(Map<String, List<String>> values) {
    MicroSettings.Length usual = quick ? QUICK : FULL;
    return new MicroSettings(
        patterns,
        values,
        atLeastOne("--forks", forks == null ? (quick ? 1 : FORKS) : forks),
        new MicroSettings.Length(
            usual.warmups(),
            atLeastOne("--iterations", iterations == null ? usual.iterations() : iterations),
            atLeastOne(
                "--millis", iterationMillis == null ? usual.iterationMillis() : iterationMillis)),
        atLeastOne("--threads", threads),
        profilers,
        jvmArguments);
  }

  private static int atLeastOne(String option, int value) {
    if (value < 1) {
      throw new UsageException(option + " must be at least 1, but was " + value);
    }
    return value;
  }
}
