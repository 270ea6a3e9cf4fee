package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.compare.Analysis;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.limit.LimitMeasures;
import io.github.lucenedirectories.benchmarks.limit.LimitPlan;
import io.github.lucenedirectories.benchmarks.limit.LimitSamples;
import io.github.lucenedirectories.benchmarks.limit.Memory;
import io.github.lucenedirectories.benchmarks.measures.Beside;
import io.github.lucenedirectories.benchmarks.measures.MeasureAnalysis;
import io.github.lucenedirectories.benchmarks.measures.MeasureGroup;
import io.github.lucenedirectories.benchmarks.measures.MeasureReport;
import io.github.lucenedirectories.benchmarks.measures.Measured;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.results.Advice;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/** What the command writes and prints. */
final class AdviseReport {
  private static final String FORK_MEANING =
      "open: the directory and a reader, under a limit while nothing of the index is in the page"
          + " cache; a directory that holds the index in memory reads all of it then. own: memory"
          + " that no file is behind, heap included. peak: the most memory of the fork's group, page"
          + " cache included.";

  private final Situation situation;
  private final LimitPlan plan;
  private final Prepared prepared;
  private final Memory memory;

  private final Map<Entry, List<LimitSamples>> samples;

  AdviseReport(AdviseRun.Outcome outcome) {
    this.situation = outcome.situation();
    this.plan = outcome.plan();
    this.prepared = outcome.prepared();
    this.memory = outcome.memory();
    this.samples = outcome.samples();
  }

  /** Writes the files, and prints the text. */
  void write(Path out, String command, PrintWriter writer) throws IOException {
    Map<String, List<LimitSamples>> labelled = new LinkedHashMap<>();
    samples.forEach((column, forks) -> labelled.put(column.label(), forks));
    List<Measured> columns = new ArrayList<>();
    labelled.forEach((label, forks) -> columns.add(LimitMeasures.measured(label, forks)));
    Analysis rates = rates(labelled);
    Map<String, Object> environment = environment(command);
    List<Results.Skipped> skipped = new ArrayList<>(prepared.notRun());
    skipped.addAll(situation.leftOut());
    Results ofRates =
        new Results(environment, rates.results(), rates.ratios(), rates.means(), skipped);
    KnownTails tails = new KnownTails(labelled);
    Candidates found = new Candidates(ofRates, columns, tails, plan.forks(), plan.seed());
    List<Candidate> candidates = found.of(plan.columns());
    Advice advice = advice(candidates, found, tails);

    List<MeasureGroup> groups = LimitMeasures.groups(labelled, FORK_MEANING);
    List<String> reference = List.of(Entry.BASELINE.label());
    MeasureAnalysis others =
        new MeasureAnalysis(AdviseCommand.NAME, columns, groups, reference, plan.seed());
    List<Result> results = new ArrayList<>(rates.results());
    results.addAll(others.results());
    List<Ratio> ratios = new ArrayList<>(rates.ratios());
    ratios.addAll(others.ratios());
    Results all =
        new Results(
                environment,
                results,
                ratios,
                rates.means(),
                skipped,
                LimitMeasures.latencies(AdviseCommand.NAME, labelled))
            .advising(advice);
    List<String> notes = new ArrayList<>(situation.notes());
    notes.add(how());
    new MeasureReport(all, groups, reference, notes)
        .write(out, "A directory for " + prepared.index(), ofRates.notRun());

    notes.forEach(writer::println);
    ofRates.notRun().forEach(writer::println);
    writer.println();
    table(candidates, found).lines().forEach(writer::println);
    writer.println();
    AdviceText.lines(advice).forEach(writer::println);
    writer.println();
    writer.println("Written: " + out.resolve("results.json"));
    writer.println("Written: " + out.resolve("report.html"));
    writer.flush();
  }

  private Analysis rates(Map<String, List<LimitSamples>> labelled) {
    Analysis rates =
        new Analysis(AdviseCommand.NAME, LimitSamples.rates(labelled), plan.forks(), plan.seed());
    plan.columns().stream()
        .filter(column -> !column.equals(Entry.BASELINE))
        .forEach(column -> rates.compare(column.label(), Entry.BASELINE.label()));
    return rates;
  }

  private Advice advice(List<Candidate> candidates, Candidates found, KnownTails tails) {
    Choice choice = Decision.of(situation.fit(), candidates);
    Contents contents = situation.inspection().contents();
    long pageCacheBytes = situation.inspection().machine().pageCacheBytes();
    Snippet snippet = Snippet.of(choice.directory(), contents.bytes(), pageCacheBytes);
    return new Advice(
        choice.directory().label(),
        new Reasons(choice, candidates, found.noise(), contents.bytes(), pageCacheBytes)
            .sentences(),
        snippet.code(),
        snippet.artifact(),
        Snippet.jvmFlags(situation.heapMegabytes()),
        cautions(found, tails),
        new Unknowns(
                prepared.index(),
                situation.field(),
                contents,
                situation.given(),
                situation.limited())
            .of(choice.directory(), situation.fit(), situation.hits().queries()));
  }

  private List<String> cautions(Candidates found, KnownTails tails) {
    List<String> cautions =
        new ArrayList<>(Cautions.ofRun(plan.forks(), found.noise(), tails.unknown()));
    cautions.addAll(Cautions.ofQueries(situation.hits(), situation.given()));
    DeviceReads baseline = DeviceReads.of(Objects.requireNonNull(samples.get(Entry.BASELINE)));
    cautions.addAll(
        Cautions.ofMemory(
            situation.fit(), baseline, situation.inspection().machine().readAheadKiB()));
    return cautions;
  }

  private TextTable table(List<Candidate> candidates, Candidates found) {
    TextTable table = new TextTable();
    table.add(
        List.of(
            "", "queries/s", "95 % interval", "p99", "95 % interval", "open ms", "own MiB", ""));
    String baseline = Entry.BASELINE.label();
    table.add(
        List.of(
            baseline,
            "1",
            Ranges.text(found.noise()),
            "1",
            "",
            number(found.median(baseline, LimitMeasures.OPEN)),
            number(found.median(baseline, Beside.ANONYMOUS)),
            ""));
    for (Candidate candidate : candidates) {
      List<String> lost = candidate.lostKinds();
      Comparison high = candidate.high();
      table.add(
          List.of(
              candidate.directory().label(),
              Numbers.ratio(candidate.rate().ratio()),
              Ranges.text(candidate.rate().interval()),
              high == null ? "-" : Numbers.ratio(high.ratio()),
              high == null ? "-" : Ranges.text(high.interval()),
              Numbers.rate(candidate.openMillis()),
              number(candidate.ownMebibytes()),
              candidate.verdict().text()
                  + (lost.isEmpty() ? "" : " (" + String.join(", ", lost) + ")")));
    }
    return table;
  }

  private static String number(OptionalDouble value) {
    return value.isPresent() ? Numbers.rate(value.getAsDouble()) : "-";
  }

  private String how() {
    return String.format(
        Locale.ROOT,
        "%d kind%s of at most %,d of %s queries (%s); %d directories, each in %d JVMs"
            + " of its own, interleaved; in each %.1f s of warm-up dropped and %.1f s measured, shared"
            + " by the kinds, %d searching thread%s%s; seed %d. Hits identical on every directory, at"
            + " most 10 queries of each kind.",
        prepared.kinds().size(),
        prepared.kinds().size() == 1 ? "" : "s",
        plan.queries(),
        situation.given() == null ? "the picked" : "your",
        situation.hits().summary(),
        plan.columns().size(),
        plan.forks(),
        plan.warmupSeconds(),
        plan.seconds(),
        plan.threads(),
        plan.threads() == 1 ? "" : "s",
        situation.limited()
            ? "; each JVM in a control group of "
                + Numbers.bytes(memory.limitBytes())
                + ", page cache included"
            : "",
        plan.seed());
  }

  private Map<String, Object> environment(String command) {
    Map<String, Object> environment =
        Environment.describe(
            situation.index(), JvmFlags.forSearching(memory.heapMegabytes()).flags());
    environment.put("command", command);
    environment.put("seed", plan.seed());
    environment.put("index", prepared);
    environment.put("plan", plan);
    environment.put("memory", memory);
    environment.put("machine", situation.inspection().machine());
    environment.put("contents", situation.inspection().contents());
    return environment;
  }
}
