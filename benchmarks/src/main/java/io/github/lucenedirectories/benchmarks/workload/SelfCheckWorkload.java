package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Analysis;
import io.github.lucenedirectories.benchmarks.results.Coverage;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Mean;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code self-check}: whether the intervals of comparisons hold the true ratio as often as they
 * say. The rounds of one run are cut into comparisons, each of which is analysed for itself.
 */
@Command(
    name = "self-check",
    description =
        "Compare a directory with itself many times, as compare does, and count how often the"
            + " 95 %% intervals hold the true ratio of 1.00.",
    footer = {
      "",
      "By default 200 comparisons of 4 forks a side, each fork with 0.1 s of warm-up and 0.15 s"
          + " measured; with --quick 20 comparisons.",
      "",
      Coverage.MEANING
    })
public final class SelfCheckWorkload extends Workload<Search.Input, Search.Samples> {
  private static final RunOptions.Defaults VALUES = new RunOptions.Defaults(4, 0.1, 0.15);
  private static final int COMPARISONS = 200;
  private static final int QUICK_COMPARISONS = 20;
  private static final int QUERIES = 4;
  private static final String MEAN = "geometric mean";

  /* Cheap ones, that read postings, a tree of terms and stored fields. */
  private static final List<String> KINDS = List.of("MedTerm", "PKLookup", "Stored");

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--directory",
      paramLabel = "NAME",
      description = "the directory (default: ${DEFAULT-VALUE})",
      defaultValue = "MMapDirectory")
  private String directory = "MMapDirectory";

  @Option(
      names = "--comparisons",
      paramLabel = "N",
      description = "how many, each with forks of its own")
  private @Nullable Integer comparisons;

  private final HitsCheck hits = new HitsCheck();

  private int comparisons() {
    int otherwise = run.isQuick() ? QUICK_COMPARISONS : COMPARISONS;
    return comparisons == null ? otherwise : comparisons;
  }

  private RunOptions.Defaults values() {
    return run.values(VALUES, VALUES);
  }

  @Override
  public void check() throws IOException {
    RunOptions.positive("--comparisons", comparisons());
    if (values().forks() < 2) {
      throw new UsageException("--forks must be at least 2: one fork has no interval");
    }
    index.check();
    tasks.check();
    Column.find(directory, Use.SEARCH);
  }

  @Override
  public Plan<Search.Input> plan(Host host) throws IOException {
    RunOptions.Defaults values = values();
    Variant variant = Column.find(directory, Use.SEARCH);
    Column column = Column.of(variant);
    Path chosen = host.out().resolve("queries.tasks").toAbsolutePath();
    Prepared prepared =
        new Preparation(index.source(), tasks, KINDS, host.out())
            .run(host.workspace(), tasks.queries(QUERIES), run.seed(), chosen);
    Search.Input input =
        new Search.Input(
            prepared.index(),
            chosen.toString(),
            prepared.kinds(),
            index.source().field(),
            values.warmupSeconds(),
            values.seconds(),
            1,
            false);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("index", prepared);
    facts.put("comparisons", comparisons());
    return new Plan<>(
        input,
        List.of(column, column.again()),
        List.of(column.label()),
        List.of(),
        Math.multiplyExact(comparisons(), values.forks()),
        JvmFlags.forIndex(variant.usesHeap() ? prepared.bytes() : 0),
        new Plan.Page(
            "A directory compared with itself",
            List.of(
                prepared.summary() + ".",
                Numbers.text(
                    "%s compared with itself %d times, each time with %d + %d JVMs of their own,"
                        + " interleaved; in each %.2f s of warm-up dropped and %.2f s measured;"
                        + " seed %d.",
                    column.label(),
                    comparisons(),
                    values.forks(),
                    values.forks(),
                    values.warmupSeconds(),
                    values.seconds(),
                    run.seed())),
            facts,
            prepared.skipped()));
  }

  @Override
  public Search.Samples run(Search.Input input, Column column, Fork fork) throws IOException {
    return Search.run(input, column, fork);
  }

  @Override
  public Search.Samples measure(Host host, Plan<Search.Input> plan, Column column, long seed)
      throws IOException {
    return Search.measure(host.start(this, plan, column, seed), column, hits);
  }

  @Override
  public List<Figures<Search.Samples>> figures(Plan<Search.Input> plan) {
    return List.of(Search.rates(plan.input().kinds()));
  }

  /** Puts the results of the comparisons in the place of those of the whole run. */
  @Override
  public Results complete(
      Results results, Plan<Search.Input> plan, Map<String, List<Search.Samples>> samples) {
    int forks = values().forks();
    List<Result> all = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    for (int i = 1; i <= comparisons(); i++) {
      int number = i;
      int from = (number - 1) * forks;
      Map<String, List<Search.Samples>> part = new LinkedHashMap<>();
      samples.forEach((label, of) -> part.put(label, of.subList(from, from + forks)));
      Analysis<Search.Samples> analysis =
          new Analysis<>(name(), part, numbered(plan, number), run.seed() + (long) number * forks);
      plan.references().forEach(analysis::compareAll);
      Results found = analysis.results(Map.of(), List.of());
      all.addAll(found.results());
      ratios.addAll(found.ratios());
      found.means().stream()
          .filter(mean -> mean.tasks() > 1)
          .map(mean -> ratio(mean, number))
          .forEach(ratios::add);
    }
    return Coverage.checked(
        new Results(results.environment(), all, ratios, List.of(), results.skipped())
            .shown(Objects.requireNonNull(results.page())));
  }

  /** The figures under the names that they have in one comparison, without their parts. */
  private static List<Figures<Search.Samples>> numbered(Plan<Search.Input> plan, int number) {
    Figures<Search.Samples> rates = Search.rates(plan.input().kinds());
    List<Figure<Search.Samples>> named = new ArrayList<>();
    for (Figure<Search.Samples> f : rates.all()) {
      String task = Coverage.task(f.task(), number);
      named.add(new Figure<>(task, f.heading(), f.unit(), f.better(), f.value()));
    }
    return List.of(
        new Figures<>(rates.title(), rates.meaning(), rates.shown(), rates.summed(), named));
  }

  private static Ratio ratio(Mean mean, int number) {
    Interval interval = mean.interval95();
    boolean same = interval == null || interval.contains(1);
    return new Ratio(
        "self-check",
        mean.directory(),
        mean.baseline(),
        Coverage.task(MEAN, number),
        mean.ratio(),
        interval,
        null,
        same ? "same" : mean.ratio() > 1 ? "faster" : "slower");
  }
}
