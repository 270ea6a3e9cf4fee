package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.results.Analysis;
import io.github.lucenedirectories.benchmarks.results.Coverage;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Compared;
import io.github.lucenedirectories.benchmarks.results.Results.Ratio;
import io.github.lucenedirectories.benchmarks.results.Results.Result;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
public final class SelfCheckWorkload extends SearchWorkload {
  private static final RunOptions.Defaults VALUES = new RunOptions.Defaults(4, 0.1, 0.15);
  private static final int COMPARISONS = 200;
  private static final int QUICK_COMPARISONS = 20;
  private static final int QUERIES = 4;
  private static final String MEAN = "geometric mean";

  /* Cheap ones, that read postings, a tree of terms and stored fields. */
  private static final List<String> KINDS = List.of("MedTerm", "PKLookup", "Stored");

  @Option(names = "--comparisons", paramLabel = "N", description = "each with forks of its own")
  private @Nullable Integer comparisons;

  private int comparisons() {
    int otherwise = run.isQuick() ? QUICK_COMPARISONS : COMPARISONS;
    return comparisons == null ? otherwise : comparisons;
  }

  @Override
  public void check() throws IOException {
    RunOptions.positive("--comparisons", comparisons());
    values = run.values(VALUES, VALUES);
    RunOptions.refuse(values.forks() < 2, "--forks must be at least 2: one fork has no interval");
    super.check();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    prepare(host, KINDS, QUERIES);
    Column column = Column.of(Variants.BASELINE, Use.SEARCH);
    return new Plan(
        List.of(column, column.again()),
        List.of(column.label()),
        List.of(),
        Math.multiplyExact(comparisons(), values.forks()),
        JvmFlags.forIndex(0),
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
        Map.of("comparisons", comparisons()),
        prepared.skipped());
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    return List.of(rates());
  }

  /** Puts the results of the comparisons in the place of those of the whole run. */
  @Override
  public Results complete(Results results, Plan plan, Map<String, List<Samples>> samples) {
    int forks = values.forks();
    List<Result> all = new ArrayList<>();
    List<Ratio> ratios = new ArrayList<>();
    for (int i = 1; i <= comparisons(); i++) {
      int number = i;
      int from = (number - 1) * forks;
      Map<String, List<Samples>> part = new LinkedHashMap<>();
      samples.forEach((label, of) -> part.put(label, of.subList(from, from + forks)));
      Analysis<Samples> analysis =
          new Analysis<>(name(), part, List.of(rates()), run.seed() + (long) number * forks);
      plan.references().forEach(analysis::compareAll);
      Results found = analysis.results(Map.of(), List.of());
      for (Result r : found.results()) {
        String task = Coverage.task(r.task(), number);
        all.add(
            new Result(
                name(),
                r.directory(),
                task,
                r.unit(),
                r.median(),
                r.interval95(),
                r.samples(),
                List.of()));
      }
      found.ratios().forEach(r -> ratios.add(ratio(r, r.baseline(), r.task(), number)));
      found.means().stream()
          .filter(mean -> mean.tasks() > 1)
          .forEach(mean -> ratios.add(ratio(mean, mean.baseline(), MEAN, number)));
    }
    return Coverage.checked(
        new Results(results.environment(), all, ratios, List.of(), results.skipped())
            .shown(Objects.requireNonNull(results.page())));
  }

  private static Ratio ratio(Compared found, String baseline, String task, int number) {
    return new Ratio(
        "self-check",
        found.directory(),
        baseline,
        Coverage.task(task, number),
        found.ratio(),
        found.interval95(),
        null,
        found.verdict());
  }
}
