package io.github.lucenedirectories.benchmarks.compare;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.directories.ReadableDirectory;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.page.CoverageSection;
import io.github.lucenedirectories.benchmarks.page.RunPage;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Presentation;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.search.SearchSamples;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code self-check}: whether the intervals of comparisons hold as often as they say. */
@Command(
    name = SelfCheckCommand.NAME,
    description =
        "Compare a directory with itself many times, as compare does, and count how often the"
            + " 95 %% intervals hold the true ratio of 1.00.",
    footer = {
      "",
      "By default 200 comparisons of 4 forks a side, each fork with 0.1 s of warm-up and 0.15 s"
          + " measured; with --quick 20 comparisons.",
      "",
      CoverageSection.MEANING
    },
    sortOptions = false)
public final class SelfCheckCommand implements Callable<Integer> {
  static final String NAME = "self-check";

  private static final RunOptions.Defaults VALUES = new RunOptions.Defaults(4, 0.1, 0.15);
  private static final int COMPARISONS = 200;
  private static final int QUICK_COMPARISONS = 20;
  private static final int QUERIES = 4;

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

  @Mixin private RunOptions run = new RunOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    int count = count();
    ComparePlan plan = plan();
    Path out = run.out(NAME);
    SelfCheck check = new SelfCheck(NAME);
    try (Workspace workspace = Workspace.create()) {
      Path chosen = workspace.file("queries.tasks");
      Prepared prepared;
      JvmFlags flags;
      try (Progress progress = Progress.create()) {
        progress.note("Preparing");
        prepared =
            new Preparation(index.source(), tasks, KINDS, out)
                .run(workspace, tasks.queries(QUERIES), plan.seed(), chosen);
        flags = flags(plan, prepared);
        SearchFork fork = new SearchFork(workspace, flags, plan, Path.of(prepared.index()), chosen);
        progress.start("comparisons", count);
        for (int number = 1; number <= count; number++) {
          progress.step("comparison " + number);
          compare(check, number, plan, fork);
          progress.stepDone();
        }
      }
      report(out, plan, count, prepared, flags, check);
    }
    return 0;
  }

  private int count() {
    int otherwise = run.isQuick() ? QUICK_COMPARISONS : COMPARISONS;
    int count = comparisons == null ? otherwise : comparisons;
    RunOptions.positive("--comparisons", count);
    return count;
  }

  private ComparePlan plan() throws IOException {
    RunOptions.Defaults values = run.values(VALUES, VALUES);
    if (values.forks() < 2) {
      throw new UsageException("--forks must be at least 2: one fork has no interval");
    }
    index.check();
    tasks.check();
    ReadableDirectory measured = ReadableDirectory.named(directory.strip());
    return new ComparePlan(
        List.of(
            new Entry(measured.label(), measured, null),
            new Entry(measured.label() + " (again)", measured, null)),
        values.forks(),
        values.warmupSeconds(),
        values.seconds(),
        1,
        false,
        index.source().field(),
        run.seed());
  }

  private static JvmFlags flags(ComparePlan plan, Prepared prepared) {
    boolean onHeap = plan.columns().stream().anyMatch(Entry::usesHeap);
    return JvmFlags.forIndex(onHeap ? prepared.bytes() : 0);
  }

  /** One comparison, with forks and orders of its own. */
  private static void compare(SelfCheck check, int number, ComparePlan plan, SearchFork fork)
      throws IOException {
    long seed = plan.seed() + (long) number * plan.forks();
    Map<String, List<SearchSamples>> samples = new LinkedHashMap<>();
    new Rounds<Entry, SearchSamples>(plan.columns(), Entry::label, new NoProgress())
        .run(plan.forks(), seed, fork)
        .forEach((column, forks) -> samples.put(column.label(), forks));
    check.add(
        number,
        plan.columns().get(1).label(),
        plan.columns().get(0).label(),
        samples,
        plan.forks(),
        seed);
  }

  private void report(
      Path out, ComparePlan plan, int count, Prepared prepared, JvmFlags flags, SelfCheck check)
      throws IOException {
    Map<String, Object> environment =
        Environment.describe(Path.of(prepared.index()), flags.flags());
    environment.put("command", Main.commandLine());
    environment.put("seed", plan.seed());
    environment.put("index", prepared);
    environment.put("plan", plan);
    environment.put("comparisons", count);
    List<String> notes = notes(plan, count, prepared);
    Results results =
        new Results(environment, check.results(), check.ratios(), List.of(), prepared.notRun())
            .shown(
                new Presentation(
                    "A directory compared with itself",
                    notes,
                    List.of(plan.columns().get(0).label()),
                    List.of()));
    Path file = out.resolve("results.json");
    results.write(file);
    new RunPage(Results.read(file)).write(out.resolve("report.html"));
    PrintWriter writer = Objects.requireNonNull(spec).commandLine().getOut();
    notes.forEach(writer::println);
    writer.println();
    new CoverageSection(results).lines().forEach(writer::println);
    writer.println();
    writer.println("Written: " + file);
    writer.println("Written: " + out.resolve("report.html"));
    writer.flush();
  }

  private static List<String> notes(ComparePlan plan, int count, Prepared prepared) {
    return List.of(
        prepared.summary() + ".",
        String.format(
            Locale.ROOT,
            "%s compared with itself %d times, each time with %d + %d JVMs of their own,"
                + " interleaved; in each %.2f s of warm-up dropped and %.2f s measured; seed %d.",
            plan.columns().get(0).label(),
            count,
            plan.forks(),
            plan.forks(),
            plan.warmupSeconds(),
            plan.seconds(),
            plan.seed()));
  }

  /** Says nothing: the comparisons are the steps, not their forks. */
  private static final class NoProgress implements Progress {
    @Override
    public void note(String what) {}

    @Override
    public void start(String unit, int steps) {}

    @Override
    public void step(String what) {}

    @Override
    public void stepDone() {}

    @Override
    public void close() {}
  }
}
