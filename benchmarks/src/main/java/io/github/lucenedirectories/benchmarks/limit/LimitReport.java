package io.github.lucenedirectories.benchmarks.limit;

import io.github.lucenedirectories.benchmarks.compare.Analysis;
import io.github.lucenedirectories.benchmarks.compare.TextReport;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureReport;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/** What a comparison under a limit writes and prints. */
final class LimitReport {
  private static final String TITLE = "Lucene directories under a memory limit";
  private static final String BEST_MEANING =
      "The best baseline of a kind is the one with the highest median in this same run: of several"
          + " equal ones that is the luckiest, which favours it over what it is compared with.";

  private final LimitPlan plan;
  private final Prepared prepared;
  private final Memory memory;
  private final String groups;
  private final List<String> baselines;
  private final List<Results.Skipped> leftOut;
  private final OptionalLong readAhead;

  /**
   * @param groups what limits the memory, in words
   * @param baselines labels, the first the baseline of all
   * @param leftOut columns that were not run
   */
  LimitReport(
      LimitPlan plan,
      Prepared prepared,
      Memory memory,
      String groups,
      List<String> baselines,
      List<Results.Skipped> leftOut) {
    this.plan = plan;
    this.prepared = prepared;
    this.memory = memory;
    this.groups = groups;
    this.baselines = List.copyOf(baselines);
    this.leftOut = List.copyOf(leftOut);
    this.readAhead = Device.readAheadKibibytes(Path.of(prepared.index()));
  }

  /** Writes the files, and prints the tables. */
  void write(Path out, String command, Map<String, List<LimitSamples>> samples, PrintWriter writer)
      throws IOException {
    Analysis rates = new LimitPairs(samples, baselines).analyse(plan.forks(), plan.seed());
    List<MeasureGroup> measures = LimitMeasures.groups(samples, LimitMeasures.FORK_MEANING);
    List<Measured> columns = new ArrayList<>();
    samples.forEach((label, forks) -> columns.add(LimitMeasures.measured(label, forks)));
    List<String> reference = baselines.subList(0, 1);
    MeasureAnalysis others =
        new MeasureAnalysis(LimitJob.NAME, columns, measures, reference, plan.seed());

    Map<String, Object> environment = environment(command);
    List<Results.Skipped> skipped = new ArrayList<>(prepared.notRun());
    skipped.addAll(leftOut);
    Results ofRates =
        new Results(environment, rates.results(), rates.ratios(), rates.means(), skipped);
    List<Result> allResults = new ArrayList<>(rates.results());
    allResults.addAll(others.results());
    List<Ratio> allRatios = new ArrayList<>(rates.ratios());
    allRatios.addAll(others.ratios());
    Results all =
        new Results(
            environment,
            allResults,
            allRatios,
            rates.means(),
            skipped,
            LimitMeasures.latencies(LimitJob.NAME, samples));

    List<String> notes = notes();
    List<String> remarks = new ArrayList<>(List.of(BEST_MEANING));
    remarks.addAll(unread(samples));
    if (memory.isAmple()) {
      remarks.add("The limit leaves room for the whole index: give a smaller one to see it bite.");
    }
    MeasureReport report = new MeasureReport(all, measures, reference, notes);
    report.write(out, TITLE, remarks);
    List<String> lines = new ArrayList<>();
    lines.add("");
    List<String> tables = new ArrayList<>(baselines);
    tables.add(LimitPairs.BEST);
    lines.addAll(new TextReport(ofRates, tables).lines());
    lines.addAll(remarks);
    lines.addAll(ofRates.notRun());
    report.print(writer, out, lines);
  }

  private Map<String, Object> environment(String command) {
    Map<String, Object> environment =
        Environment.describe(
            Path.of(prepared.index()), JvmFlags.forSearching(memory.heapMegabytes()).flags());
    environment.put("command", command);
    environment.put("seed", plan.seed());
    environment.put("index", prepared);
    environment.put("plan", plan);
    environment.put("memory", memory);
    environment.put("groups", groups);
    readAhead.ifPresent(kibibytes -> environment.put("readAheadKiB", kibibytes));
    return environment;
  }

  private static List<String> unread(Map<String, List<LimitSamples>> samples) {
    List<String> remarks = new ArrayList<>();
    List<KindSamples> all =
        samples.values().stream()
            .flatMap(List::stream)
            .flatMap(fork -> fork.kinds().values().stream())
            .toList();
    if (all.stream().anyMatch(kind -> kind.reads().readBytes() == null)) {
      remarks.add("Bytes read from devices are not told: /proc/self/io cannot be read here.");
    }
    if (all.stream().anyMatch(kind -> kind.reads().majorFaults() == null)) {
      remarks.add("Major faults are not told: /proc/self/stat cannot be read here.");
    }
    return remarks;
  }

  private List<String> notes() {
    return List.of(
        prepared.summary() + ".",
        String.format(
            Locale.ROOT,
            "Each JVM in a group of its own with %s (%.0f %% of the index; %s), heap %d MiB. Before"
                + " each JVM the index was taken out of the page cache and looked for there. The"
                + " device reads ahead %s.",
            Numbers.bytes(memory.limitBytes()),
            100.0 * memory.limitBytes() / memory.indexBytes(),
            groups,
            memory.heapMegabytes(),
            readAhead.isPresent() ? readAhead.getAsLong() + " KiB at most" : "an unknown amount"),
        String.format(
            Locale.ROOT,
            "%d kinds of at most %d queries, in an order that is the same for all directories in a"
                + " round; %d directories, each in %d JVMs, interleaved; %s; %d searching thread%s;"
                + " seed %d. Hits identical on every directory, asked under the limit after the"
                + " measurement: at most 10 queries of each kind.",
            prepared.kinds().size(),
            plan.queries(),
            plan.columns().size(),
            plan.forks(),
            plan.merge() ? merging() : plan.cold() ? cold() : warm(),
            plan.threads(),
            plan.threads() == 1 ? "" : "s",
            plan.seed()));
  }

  private String warm() {
    return String.format(
        Locale.ROOT,
        "warm: %.1f s of warm-up dropped and %.1f s measured in each, shared by the kinds, whose"
            + " queries run again and again in random order, each kind for itself",
        plan.warmupSeconds(),
        plan.seconds());
  }

  private String merging() {
    return String.format(
        Locale.ROOT,
        "%.1f s of warm-up and a first merge between its halves dropped in each; then all kinds mixed,"
            + " in random order: %.1f s without a merge (Quiet), and until half of the index was"
            + " merged (Merging)",
        plan.warmupSeconds(),
        plan.seconds());
  }

  private String cold() {
    return String.format(
        Locale.ROOT,
        "cold: %.1f s of warm-up with one half of the queries; then, before each kind, the index"
            + " closed, taken out of the page cache and opened anew, and the other half run once"
            + " each",
        plan.warmupSeconds());
  }
}
