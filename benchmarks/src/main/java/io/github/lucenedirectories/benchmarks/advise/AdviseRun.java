package io.github.lucenedirectories.benchmarks.advise;

import com.sun.management.OperatingSystemMXBean;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import io.github.lucenedirectories.benchmarks.directories.Entry;
import io.github.lucenedirectories.benchmarks.groups.MemoryGroup;
import io.github.lucenedirectories.benchmarks.groups.MemoryGroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.limit.LimitFork;
import io.github.lucenedirectories.benchmarks.limit.LimitOption;
import io.github.lucenedirectories.benchmarks.limit.LimitPlan;
import io.github.lucenedirectories.benchmarks.limit.LimitSamples;
import io.github.lucenedirectories.benchmarks.limit.Memory;
import io.github.lucenedirectories.benchmarks.prepare.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.tasks.TaskLine;
import io.github.lucenedirectories.benchmarks.tasks.TaskSelection;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One run of the command: looks at the index, chooses queries and directories, tries one fork to
 * see what forks cost here, and shares what is left of the time out.
 */
final class AdviseRun {
  /** The kinds that are picked: of each way to read an index one or two, and quick ones. */
  private static final List<String> KINDS =
      List.of("HighTerm", "MedTerm", "AndHighMed", "Phrase", "Prefix3", "PKLookup", "Stored");

  private static final int PICKED_QUERIES = 100;

  /* Of one kind: so many are more than a short run asks. */
  private static final int GIVEN_QUERIES = 1_000;

  private static final long MOST_HEAP_MEGABYTES = 1024;

  /* Of the fork that is tried. */
  private static final double TRIED_SECONDS = 0.2;

  private static final double NANOS = 1e9;

  private final Workspace workspace;
  private final AdviseOptions options;
  private final Path index;
  private final Path chosen;

  AdviseRun(Workspace workspace, AdviseOptions options) {
    this.workspace = workspace;
    this.options = options;
    this.index = options.index();
    this.chosen = workspace.file("queries.tasks");
  }

  /** All that is reported. */
  record Outcome(
      Situation situation,
      LimitPlan plan,
      Prepared prepared,
      Memory memory,
      Map<Entry, List<LimitSamples>> samples) {}

  /**
   * Runs it.
   *
   * @param deadlineNanos when it should be done, as {@link System#nanoTime} tells the time
   */
  Outcome run(long deadlineNanos, Progress progress) throws IOException {
    MemoryGroups groups = options.limit() == null ? null : MemoryGroups.find();
    Memory wholeFolder = memory();
    wholeFolder.checkHeap("a smaller --heap" + (groups == null ? "" : " or a larger --limit"));
    if (groups != null) {
      wholeFolder.checkLimit(groups.leastLimitAbove());
    }
    Path queries = options.queries();
    Path tasks = workspace.file("given.tasks");
    List<TaskLine> given = queries == null ? List.of() : TaskFile.read(queries);
    if (queries != null) {
      TaskFile.write(tasks, given);
    }
    progress.note("Looking at the index");
    Inspection inspection = inspect(groups, wholeFolder);
    Contents contents = inspection.contents();
    // Without what else lies in the folder: no directory reads that.
    Memory memory =
        new Memory(
            wholeFolder.limitBytes(), wholeFolder.heapMegabytes(), contents.folder().committed());
    String field = contents.searchedField(options.field());
    progress.note("Choosing queries");
    Prepared prepared = prepare(queries == null ? null : tasks, field);
    QueryHits hits = hits(field);
    long pageCacheBytes = inspection.machine().pageCacheBytes();
    Fit fit = Fit.of(contents.bytes(), pageCacheBytes);
    progress.note("Trying what a JVM costs here");
    double overheadSeconds = overheadSeconds(groups, memory, prepared, field);
    double seconds = (deadlineNanos - System.nanoTime()) / NANOS;
    Columns columns =
        Columns.of(
            fit, memory, pageCacheBytes, seconds, Budget.mostColumns(seconds, overheadSeconds));
    Budget budget =
        Budget.of(
            seconds,
            columns.entries().size(),
            overheadSeconds,
            columns.loadSecondsARound(memory.indexBytes()));
    LimitPlan plan = plan(columns.entries(), budget, field);
    Map<Entry, List<LimitSamples>> samples =
        new Rounds<Entry, LimitSamples>(plan.columns(), Entry::label, progress)
            .run(
                plan.forks(),
                plan.seed(),
                new LimitFork(workspace, groups, memory, plan, prepared, chosen));
    Situation situation =
        new Situation(
            index,
            field,
            inspection,
            hits,
            queries == null ? null : given(given.size(), prepared),
            groups != null,
            options.heapMegabytes(),
            fit,
            columns.leftOut());
    return new Outcome(situation, plan, prepared, memory, samples);
  }

  /** Puts the queries that were run beside the results. */
  void keepQueries(Path out) {
    Preparation.keepQueries(chosen, out);
  }

  private Memory memory() throws IOException {
    long indexBytes = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(index, Files::isRegularFile)) {
      for (Path file : files) {
        indexBytes += Files.size(file);
      }
    }
    LimitOption limit = options.limit();
    Long heap = options.heapMegabytes();
    long limitBytes = limit == null ? totalBytes() : limit.of(indexBytes);
    long usualHeap = Memory.usualHeapMegabytes(limitBytes);
    return new Memory(
        limitBytes, heap == null ? Math.min(MOST_HEAP_MEGABYTES, usualHeap) : heap, indexBytes);
  }

  private static long totalBytes() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getTotalMemorySize()
        : Long.MAX_VALUE;
  }

  private static GivenLines given(int lines, Prepared prepared) {
    return new GivenLines(
        lines, prepared.skipped().stream().mapToInt(TaskSelection.Skipped::lines).sum());
  }

  private Inspection inspect(@Nullable MemoryGroups groups, Memory memory) throws IOException {
    ForkStart start =
        new ForkStart("the look at the index", InspectJob.NAME, new InspectSpec(path()), false);
    JvmFlags flags = JvmFlags.forSearching(memory.heapMegabytes());
    if (groups == null) {
      return ChildJvm.run(workspace, flags, start, InspectJob.INSPECTED, Inspection.class);
    }
    MemoryGroup group = groups.make(memory.limitBytes());
    try {
      workspace.alsoClose(group);
      try (ChildJvm fork = ChildJvm.start(workspace, flags, start, group.launcher())) {
        Inspection inspection = fork.await(InspectJob.INSPECTED, Inspection.class);
        fork.finish();
        return inspection;
      }
    } finally {
      group.close();
      workspace.remove(group);
    }
  }

  private String path() {
    return index.toAbsolutePath().toString();
  }

  private Prepared prepare(@Nullable Path tasks, String field) throws IOException {
    IndexSource source = new IndexSource(path(), new CorpusSpec(List.of(), 1), false, field);
    return new Preparation(
            source,
            tasks == null ? null : tasks.toString(),
            tasks == null ? KINDS : List.of(),
            options.out())
        .run(workspace, queries(), options.seed(), chosen);
  }

  private int queries() {
    return options.queries() == null ? PICKED_QUERIES : GIVEN_QUERIES;
  }

  private QueryHits hits(String field) throws IOException {
    ForkStart start =
        new ForkStart(
            "the hits", HitsJob.NAME, new HitsSpec(path(), chosen.toString(), field), false);
    QueryHits hits =
        ChildJvm.run(workspace, JvmFlags.forIndex(0), start, HitsJob.COUNTED, QueryHits.class);
    hits.check(field);
    return hits;
  }

  /** What a fork takes by the clock besides the time that it searches. */
  private double overheadSeconds(
      @Nullable MemoryGroups groups, Memory memory, Prepared prepared, String field)
      throws IOException {
    Budget little = new Budget(1, TRIED_SECONDS, TRIED_SECONDS);
    LimitPlan plan = plan(List.of(Entry.BASELINE), little, field);
    long start = System.nanoTime();
    LimitSamples tried =
        new LimitFork(workspace, groups, memory, plan, prepared, chosen)
            .run(Entry.BASELINE, plan.seed());
    double seconds = (System.nanoTime() - start) / NANOS;
    double searched =
        tried.kinds().values().stream().mapToDouble(kind -> kind.seconds()).sum() + TRIED_SECONDS;
    return Math.max(0, seconds - searched);
  }

  private LimitPlan plan(List<Entry> columns, Budget budget, String field) {
    return new LimitPlan(
        columns,
        budget.forks(),
        false,
        false,
        budget.warmupSeconds(),
        budget.seconds(),
        options.threads(),
        queries(),
        field,
        options.seed());
  }
}
