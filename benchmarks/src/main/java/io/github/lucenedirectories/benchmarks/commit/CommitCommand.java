package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.commit.CommitColumn.Place;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.directories.DaxOption;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.presets.PresetOption;
import io.github.lucenedirectories.benchmarks.results.Results;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code commit}: commits of a few documents, on every directory whose commits last. */
@Command(
    name = CommitCommand.NAME,
    preprocessor = PresetOption.class,
    description = "Commit every few documents, in Lucene's directories and ours.",
    footer = {
      "",
      "By default each directory gets 5 forks, each with 2.4 s of warm-up and 2.8 s measured, shared"
          + " by the sizes of commits; with --quick 4 forks, 0.6 s, 0.8 s.",
      "",
      "The directories: MMapDirectory on the disk of --out, which is the baseline, and on tmpfs;"
          + " PmemDirectory with LLPL in mode EMULATED on tmpfs, and with the JDK in mode FILE on"
          + " the disk; RamDirectory over MappedDirectory on the disk; with --dax also"
          + " MMapDirectory and PmemDirectory, in mode PMEM with both engines, on that folder. What"
          + " the machine does not allow is left out, and the report says so.",
      "",
      "What the figures mean. Commit: " + CommitMeasures.WHOLE_MEANING,
      "",
      "Own part: " + CommitMeasures.OWN_MEANING,
      "",
      "Speed: " + CommitMeasures.SPEED_MEANING,
      "",
      "First commit: " + CommitMeasures.FIRST_MEANING,
      "",
      "Percentiles are taken in each fork; told is their median over forks.",
      "",
      "Preset: pmem (commits of 1, 10 and 100 documents; give --dax where there is persistent"
          + " memory)."
    },
    sortOptions = false)
public final class CommitCommand implements Callable<Integer> {
  static final String NAME = "commit";

  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 2.4, 2.8);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 0.6, 0.8);

  /* Enough that commits differ, and soon read. */
  private static final int MOST_LINES = 10_000;
  private static final int TEXT_IN_MEMORY = 3;

  @Mixin
  @SuppressWarnings("unused") // it does its work before this command is run
  private PresetOption preset = new PresetOption();

  @Mixin private TextOptions text = new TextOptions();

  @Option(
      names = "--documents-per-commit",
      split = ",",
      paramLabel = "N",
      description = "sizes of commits (default: ${DEFAULT-VALUE})",
      defaultValue = "1,10,100,1000")
  private List<Integer> documentsPerCommit = List.of();

  @Option(
      names = "--tmpfs",
      paramLabel = "FOLDER",
      description = "a folder on a tmpfs (default: ${DEFAULT-VALUE})",
      defaultValue = "/dev/shm")
  private Path tmpfs = Path.of("/dev/shm");

  @Mixin private DaxOption dax = new DaxOption();

  @Option(
      names = "--places",
      split = ",",
      paramLabel = "PLACE",
      description =
          "measure only what is there, and the baseline: ${COMPLETION-CANDIDATES} (default: all)")
  private Set<Place> places = EnumSet.allOf(Place.class);

  @Mixin private RunOptions run = new RunOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    RunOptions.Defaults values = check();
    Path out = run.out(NAME);
    Preparation.createFolder(out);
    String scratch = ".lucene-directories-commit-" + ProcessHandle.current().pid();
    List<CommitColumn> all =
        CommitColumn.all(scratch, out, tmpfs, dax.folder()).stream()
            .filter(
                column ->
                    column.label().equals(CommitColumn.BASELINE) || places.contains(column.place()))
            .toList();
    try (Workspace workspace = Workspace.create()) {
      all.forEach(column -> workspace.alsoRemove(Path.of(column.folder())));
      List<Results.Skipped> skipped;
      CommitPlan plan;
      PreparedText prepared;
      JvmFlags flags;
      Map<CommitColumn, List<CommitSamples>> samples;
      try (Progress progress = Progress.create()) {
        progress.note("Reading the text");
        prepared = PreparedText.prepare(workspace, text.spec(), MOST_LINES);
        flags = JvmFlags.forWriting(prepared.bytes() * TEXT_IN_MEMORY, JvmFlags.Collector.SERIAL);
        skipped = skipped(workspace, flags, all);
        plan = plan(all, skipped, values);
        samples =
            new Rounds<CommitColumn, CommitSamples>(plan.columns(), CommitColumn::label, progress)
                .run(
                    plan.forks(),
                    plan.seed(),
                    new CommitFork(workspace, flags, plan, prepared.file()));
      }
      new CommitReport(plan, prepared, flags, skipped, samples)
          .write(out, Main.commandLine(), Objects.requireNonNull(spec).commandLine().getOut());
    }
    return 0;
  }

  private RunOptions.Defaults check() {
    if (places.equals(Set.of(Place.DAX)) && dax.folder() == null) {
      throw new UsageException("--places DAX needs --dax FOLDER");
    }
    documentsPerCommit.forEach(size -> RunOptions.positive("--documents-per-commit", size));
    text.check();
    return run.values(FULL, QUICK);
  }

  /** What this machine does not allow. */
  private static List<Results.Skipped> skipped(
      Workspace workspace, JvmFlags flags, List<CommitColumn> columns) throws IOException {
    ForkStart start = new ForkStart("the probe", ProbeJob.NAME, new ProbeSpec(columns), false);
    Map<String, String> refusals =
        ChildJvm.run(workspace, flags, start, ProbeJob.PROBED, Probed.class).refusals();
    String baseline = refusals.get(CommitColumn.BASELINE);
    if (baseline != null) {
      throw new RunFailedException(CommitColumn.BASELINE + " cannot be measured: " + baseline);
    }
    List<Results.Skipped> skipped = new ArrayList<>();
    refusals.forEach((label, reason) -> skipped.add(new Results.Skipped(label, 0, reason)));
    return skipped;
  }

  private CommitPlan plan(
      List<CommitColumn> all, List<Results.Skipped> skipped, RunOptions.Defaults values) {
    List<String> without = skipped.stream().map(Results.Skipped::task).toList();
    return new CommitPlan(
        all.stream().filter(column -> !without.contains(column.label())).toList(),
        documentsPerCommit.stream().distinct().toList(),
        values.forks(),
        values.warmupSeconds(),
        values.seconds(),
        run.seed());
  }
}
