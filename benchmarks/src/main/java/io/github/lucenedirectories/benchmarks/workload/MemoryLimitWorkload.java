// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DeviceReadAhead;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code memory-limit}: searches an index that is larger than the memory. */
@Command(
    name = "memory-limit",
    description =
        "Search one index with less memory than it needs, and compare the directories. Each JVM"
            + " runs in a Linux control group, whose limit counts everything, page cache included.",
    footer = {
      "",
      "By default each directory gets 4 forks, each with 8 s of warm-up and 16 s measured, shared"
          + " by all kinds of 200 queries; with --quick 2 forks, 0.8 s, 1.6 s, and 4 kinds of 50"
          + " queries. With --cold the kinds have 100 queries (--quick: 40), half of which warm up"
          + " and half run once. Without --docs, --copies and --index the text is 16 copies of the"
          + " Europarl lines (--quick: 8) without vectors.",
      "",
      "Only on request, by --kinds: StoredOne, StoredTen and StoredHundred read 1, 10 and 100"
          + " documents, which each query draws from the whole index; PKLookupOne looks up one key.",
      "",
      "By default HybridDirectory, MappedDirectory and NioDirectory are measured.",
      "",
      "All directories are compared with MMapDirectory, MMapDirectory-advised (read advice by"
          + " context), NIOFSDirectory, and the best of these in each kind.",
      "",
      "What the figures of a kind mean: " + SearchFigures.KIND_MEANING,
      "",
      "Those of a fork: " + SearchFigures.FORK_MEANING
    })
public final class MemoryLimitWorkload extends Workload<SearchSamples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(4, 8, 16);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 0.8, 1.6);
  private static final int QUERIES = 200;
  private static final int QUICK_QUERIES = 50;
  private static final int COLD_QUERIES = 100;
  private static final int QUICK_COLD_QUERIES = 40;

  private static final List<String> BASELINES =
      List.of(Variants.BASELINE, "MMapDirectory-advised", "NIOFSDirectory");
  private static final List<String> OWN =
      List.of("HybridDirectory", "MappedDirectory", "NioDirectory");
  private static final int ANSWERS = 10;

  @Mixin private transient IndexOptions index = new IndexOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "memory of each JVM and of what it reads: 700m, 1g, or 50%% of the index (default: half"
              + " of the index, at least 224m)")
  private String limit = Memory.HALF;

  @Option(
      names = "--page-cache",
      paramLabel = "SIZE",
      description =
          "sets the limit so that the page cache has this much: 300m, or 17%% of the index; the"
              + " figure \"page cache\" says how much it had in the end")
  private @Nullable String pageCache;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "heap of each JVM (default: a fifth of the limit, 96m to 512m)")
  private @Nullable String heap;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  private int threads = 1;

  @Option(names = "--draw", paramLabel = "WAY", description = Draw.MEANING + "uniform)")
  private Draw.Way draw = Draw.Way.UNIFORM;

  @Mixin private transient DeviceReadAhead readAhead = new DeviceReadAhead();

  @Option(names = "--cold", description = "begin each kind with an empty page cache")
  private boolean cold;

  @Option(
      names = "--steady",
      paramLabel = "S",
      description =
          "in place of half of the warm-up: run each kind until the reads of its queries are steady,"
              + " or for so many seconds, before it is measured")
  private double steady;

  @Option(
      names = "--prefetch",
      description =
          "also measure Lucene's directories with StoredFields.prefetch, called by the application"
              + " for all documents of a page, and the others with PrefetchingDirectoryReader")
  private boolean prefetch;

  @Option(
      names = "--merge",
      description =
          "run all kinds mixed, first alone and then while half of the index is merged in the same"
              + " JVM, which has done so once before; nothing of the index changes")
  private transient boolean merge;

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  private Prepared prepared = Prepared.NONE;

  private Memory memory = new Memory(0, 0, 0);

  private transient @Nullable SearchForks forks;

  /* What the device gives before the run. */
  private transient String rates = "";

  /* The path of a folder to be made for a merge during the queries; null for none. */
  private @Nullable String mergeFolder;

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    Cgroups groups = Cgroups.find();
    prepared =
        Preparation.largeIndex(index, tasks, run.isQuick(), host.out())
            .run(host.workspace(), queries(), run.seed(), host.out().resolve("queries.tasks"));
    memory = memory(prepared.bytes());
    SearchForks searching = new SearchForks(Path.of(prepared.index()), groups);
    searching.check(memory);
    forks = searching;
    Path path = Path.of(prepared.index()).toRealPath();
    if (merge) {
      // On the file system of the index, under the name of this run alone.
      Path folder = path.resolveSibling(host.workspace().name() + "-merge");
      host.workspace().alsoRemove(folder);
      mergeFolder = folder.toString();
    }
    List<Results.Skipped> skipped = new ArrayList<>(prepared.skipped());
    List<Column> fitting = new ArrayList<>(columns());
    for (Column column : columns()) {
      if (!memory.hasRoomFor(column.named(Use.SEARCH))) {
        fitting.remove(column);
        String reason = "what it keeps in memory does not fit";
        skipped.add(new Results.Skipped(column.label(), 0, reason));
      }
    }
    readAhead.set(host.workspace(), path);
    rates = DeviceRates.measure(path, run.isQuick());
    return new Plan(
        fitting,
        references(),
        fitting.stream()
            .filter(column -> column.settings().containsKey(SearchFork.PREFETCH))
            .map(column -> new Pair(column.label(), column.variant()))
            .toList(),
        values.forks(),
        memory.flags(),
        "Lucene directories under a memory limit",
        List.of(
            prepared.summary() + ".",
            Numbers.text(
                "Each JVM in a group of its own with %s (%.0f %% of the index; %s), heap %d"
                    + " MiB. Before each JVM the index was taken out of the page cache. The"
                    + " device reads ahead %s.",
                Numbers.bytes(memory.limitBytes()),
                100.0 * memory.limitBytes() / memory.indexBytes(),
                groups,
                memory.heapMegabytes(),
                readAhead.inForce()),
            note(
                prepared.kinds(),
                "at most "
                    + queries()
                    + ", drawn the same for all directories in a round, --draw "
                    + draw,
                fitting.size(),
                how(),
                threads,
                ", asked under the limit after the measurement: at most 10 queries of each kind")),
        Map.of("groups", groups.toString(), "readAhead", readAhead.inForce()),
        skipped);
  }

  @Override
  public void check() throws IOException {
    memory(0);
    RunOptions.refuse(
        pageCache != null && !limit.equals(Memory.HALF),
        "--page-cache and --limit exclude each other");
    RunOptions.refuse(!(steady >= 0), "--steady must not be negative: " + steady);
    RunOptions.refuse(steady > 0 && (merge || cold), "--steady excludes --merge and --cold");
    RunOptions.refuse(limit.equals(Memory.UNLIMITED), "--limit must be a size or a share");
    RunOptions.positive("--threads", threads);
    RunOptions.refuse(merge && cold, "--merge and --cold exclude each other");
    RunOptions.refuse(
        draw != Draw.Way.UNIFORM && (merge || cold), "--draw excludes --merge and --cold");
    readAhead.check();
    index.check();
    tasks.check();
    run.values(FULL, QUICK);
    columns();
  }

  private Memory memory(long indexBytes) {
    return pageCache == null
        ? Memory.of(limit, List.of(limit), heap, indexBytes)
        : Memory.ofPageCache(pageCache, heap, indexBytes);
  }

  private List<Column> columns() {
    List<Column> plain =
        Column.compared(
            Variants.BASELINE,
            Stream.concat(BASELINES.stream().skip(1), directories.names(OWN, Use.SEARCH).stream())
                .toList(),
            Use.SEARCH);
    Stream<Column> more =
        plain.stream().map(Column::variant).distinct().map(MemoryLimitWorkload::prefetching);
    return prefetch ? Stream.concat(plain.stream(), more).toList() : plain;
  }

  /** A directory once more, with stored documents prefetched. */
  private static Column prefetching(String variant) {
    Column plain = Column.of(variant, Use.SEARCH);
    return BASELINES.contains(variant)
        ? plain.with(variant + " + StoredFields.prefetch", SearchFork.ANNOUNCES, "yes")
        : plain.with(variant + " + prefetch", SearchFork.PREFETCH, "yes");
  }

  /** Lucene's, the best of them, and the best of them with prefetching. */
  private List<String> references() {
    List<String> all = new ArrayList<>(BASELINES);
    all.add(Results.bestOf(BASELINES));
    if (prefetch) {
      all.add(Results.bestOf(BASELINES.stream().map(name -> prefetching(name).label()).toList()));
    }
    return all;
  }

  private int queries() {
    int full = cold ? COLD_QUERIES : QUERIES;
    int quick = cold ? QUICK_COLD_QUERIES : QUICK_QUERIES;
    return tasks.queries(run.isQuick() ? quick : full);
  }

  /** All kinds that are measured. */
  private List<String> measured() {
    return merge ? List.of(MergeSearch.QUIET, MergeSearch.MERGING) : prepared.kinds();
  }

  @Override
  public SearchSamples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    int reopenings = cold ? prepared.kinds().size() : 0;
    return Objects.requireNonNull(forks)
        .measure(this, host, plan, column, seed, memory, reopenings);
  }

  @Override
  public SearchSamples run(Column column, Fork fork) throws IOException {
    SearchFork.Schedule schedule =
        mergeFolder != null
            ? new MergeSearch(Path.of(mergeFolder))
            : cold ? new ColdSearch() : new WarmSearch(steady);
    Path path = Path.of(prepared.index());
    try (SearchFork search = new SearchFork(fork, column, path, prepared.read(), threads, draw)) {
      return search.run(schedule, values, ANSWERS, _ -> null);
    }
  }

  @Override
  public List<Figures<SearchSamples>> figures(Plan plan) {
    return SearchFigures.of(measured(), plan);
  }

  private String how() {
    if (cold) {
      return Numbers.text(
          "cold: %.1f s of warm-up with one half of the queries; then, before each kind, the index"
              + " closed, taken out of the page cache and opened again, and the other half run once"
              + " each",
          values.warmupSeconds());
    }
    return Numbers.text(
        merge
            ? "%.1f s of warm-up and a first merge between its halves dropped in each; then all"
                + " kinds mixed, in random order: %.1f s without a merge (Quiet), and until half of"
                + " the index was merged (Merging)"
            : "warm: %.1f s of warm-up dropped and %.1f s measured in each, shared by the kinds,"
                + " each for itself"
                + (steady > 0
                    ? ", and run before until its reads were steady, at most " + steady + " s"
                    : ""),
        values.warmupSeconds(),
        values.seconds());
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<SearchSamples>> samples) {
    List<String> notes = new ArrayList<>(readAhead.hints());
    notes.add(
        "Random direct reads of 4 KiB that the index's device gives, outside any group: "
            + rates
            + "; after the run "
            + DeviceRates.measure(Path.of(prepared.index()), run.isQuick())
            + ".");
    addUnsteady(samples, notes);
    if (results.tasks().stream().noneMatch(task -> task.endsWith(" read"))) {
      notes.add("Bytes read from devices are unknown: /proc/self/io cannot be read here.");
    }
    if (memory.isAmple()) {
      notes.add("The limit leaves room for the whole index: give a smaller one to see its effect.");
    }
    return results.noting(notes);
  }

  /** Names the kinds of each column that were not steady in time in one of its forks. */
  private void addUnsteady(Map<String, List<SearchSamples>> samples, List<String> notes) {
    samples.forEach(
        (label, forks) -> {
          List<String> kinds =
              measured().stream()
                  .filter(kind -> forks.stream().anyMatch(f -> !isSteady(f.kind(kind))))
                  .toList();
          if (!kinds.isEmpty()) {
            notes.add(label + ": not steady in time: " + String.join(", ", kinds) + ".");
          }
        });
  }

  private boolean isSteady(SearchSamples.KindSamples kind) {
    return kind.figures().getOrDefault(WarmSearch.UNTIL_STEADY, -1.0) < steady;
  }
}
