// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static io.github.lucenedirectories.benchmarks.workload.RestartSearch.LOADED;
import static io.github.lucenedirectories.benchmarks.workload.RestartSearch.RESTART;
import static io.github.lucenedirectories.benchmarks.workload.RestartSearch.UNTIL_P99;
import static io.github.lucenedirectories.benchmarks.workload.RestartSearch.UNTIL_RATE;
import static io.github.lucenedirectories.benchmarks.workload.RestartSearch.WARM;

import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DeviceReadAhead;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import io.github.lucenedirectories.variants.Variant.Storage;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code warm-start}: how long a restart with nothing in memory makes queries slow. */
@Command(
    name = "warm-start",
    description =
        "Search an index until it is warm, close it, take it out of the page cache, and measure how"
            + " long queries take to be as fast as before: without a warm start and with one. The JVM stays the same, so that its own warm-up counts nothing.",
    footer = {
      "",
      "By default MMapDirectory and HybridDirectory are measured, each in 4 forks with 30 s of"
          + " warm-up, 15 s warm, and at most 15 s after the restart; --quick: 2"
          + " forks with 8, 4 and 4 s, and 4 kinds of 50 queries. Without --docs, --copies and"
          + " --index the text is 16 copies of the Europarl lines (--quick: 8) without vectors.",
      "",
      "Each column is compared with the same directory without a warm start, and all are with"
          + " MMapDirectory.",
      "",
      "What the figures mean: " + WarmStartWorkload.MEANING,
    })
public final class WarmStartWorkload extends Workload<SearchSamples> {
  static final String MEANING =
      "until p99, until rate: the time from before the directory was opened until p99 in a second"
          + " is at most 1.5 times that of the warm index, and in the second after it too; and until"
          + " a second has nine tenths of the warm index's queries. Both in steps of 0.1 s. Where"
          + " that was not reached, the whole time, and a note says in how many forks. read: bytes"
          + " from devices in that time. loaded: what the warm start found in its image and has in"
          + " memory. warm p99, rate and read: before the restart. Where warm read is not small, the"
          + " index was not warm: --warmup was too short, or --limit too low.";

  private static final RunOptions.Defaults TIMES = new RunOptions.Defaults(4, 30, 15);
  private static final RunOptions.Defaults QUICK_TIMES = new RunOptions.Defaults(2, 8, 4);
  private static final int QUERIES = 200;
  private static final int ANSWERS = 10;
  private static final int QUICK_QUERIES = 50;

  /* The setting of a column with the label of the one without a warm start. */
  private static final String PLAIN = "plain";

  @Mixin private transient IndexOptions index = new IndexOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "memory of each JVM and of what it reads: 700m, 1g, 50%% of the index, or none (default:"
              + " half of the index, at least 224m)")
  private String limit = Memory.HALF;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  private int threads = 1;

  @Option(names = "--draw", paramLabel = "WAY", description = Draw.MEANING + "zipf)")
  private Draw.Way draw = Draw.Way.ZIPF;

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Mixin private transient DeviceReadAhead readAhead = new DeviceReadAhead();

  private Prepared prepared = Prepared.NONE;

  private Memory memory = new Memory(0, 0, 0);

  private transient @Nullable SearchForks forks;

  @Override
  public void check() throws IOException {
    RunOptions.positive("--threads", threads);
    readAhead.check();
    index.check();
    tasks.check();
    run.values(TIMES, QUICK_TIMES);
    Memory.limitBytes(limit, 0);
    for (Column column : columns()) {
      RunOptions.refuse(
          column.named(Use.SEARCH).storage() != Storage.FILES,
          "--directories must be on files, which alone have a page cache: " + column.label());
    }
  }

  private List<Column> columns() {
    List<String> names =
        directories.names(List.of(Variants.BASELINE, "HybridDirectory"), Use.SEARCH);
    List<Column> all = new ArrayList<>(Column.compared(Variants.BASELINE, names, Use.SEARCH));
    for (String name : names) {
      Column plain = Column.of(name, Use.SEARCH);
      String warm = plain.label() + " + warm start";
      all.add(plain.with(warm, SearchFork.WARM_START, "yes").with(warm, PLAIN, plain.label()));
    }
    return all.stream().distinct().toList();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(TIMES, QUICK_TIMES);
    int queries = tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES);
    prepared =
        Preparation.largeIndex(index, tasks, run.isQuick(), host.out())
            .run(host.workspace(), queries, run.seed(), host.out().resolve("queries.tasks"));
    Cgroups groups = limit.equals(Memory.UNLIMITED) ? null : Cgroups.find();
    memory = Memory.of(limit, List.of(limit), null, prepared.bytes());
    SearchForks searching = new SearchForks(Path.of(prepared.index()), groups);
    searching.check(memory);
    forks = searching;
    readAhead.set(host.workspace(), Path.of(prepared.index()).toRealPath());
    List<Column> columns = columns();
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        columns.stream()
            .filter(column -> column.settings().containsKey(PLAIN))
            .map(column -> new Pair(column.label(), column.settings().getOrDefault(PLAIN, "")))
            .toList(),
        values.forks(),
        memory.flags(),
        "Restarts of Lucene directories with nothing in memory",
        List.of(
            prepared.summary() + ".",
            Numbers.text(
                "%s. Before each JVM, and between its two runs, the index was taken out of the page"
                    + " cache. The device reads ahead %s.",
                groups == null
                    ? "The memory has no limit"
                    : Numbers.text(
                        "Each JVM in a group of its own with %s (%s), heap %d MiB",
                        Numbers.bytes(memory.limitBytes()), groups, memory.heapMegabytes()),
                readAhead.inForce()),
            note(
                prepared.kinds(),
                Numbers.text("at most %d, mixed, --draw %s", queries, draw),
                columns.size(),
                pace() + ", and as long after the restart",
                threads,
                ", asked after the measurement: at most 10 queries of each kind")),
        Map.of("readAhead", readAhead.inForce()),
        prepared.skipped());
  }

  @Override
  public SearchSamples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    return Objects.requireNonNull(forks).measure(this, host, plan, column, seed, memory, 1);
  }

  @Override
  public SearchSamples run(Column column, Fork fork) throws IOException {
    Path path = Path.of(prepared.index());
    try (SearchFork search = new SearchFork(fork, column, path, prepared.read(), threads, draw)) {
      return search.run(new RestartSearch(), values, ANSWERS, _ -> null);
    }
  }

  @Override
  public List<Figures<SearchSamples>> figures(Plan plan) {
    List<Figures<SearchSamples>> all = new ArrayList<>();
    all.add(
        Figures.everywhere(
            "Until as fast as before",
            MEANING,
            List.of(
                new Figure<>(
                    UNTIL_P99, UNTIL_P99, "s", Better.LOWER, fork -> restart(fork, UNTIL_P99)),
                new Figure<>(
                    UNTIL_RATE, UNTIL_RATE, "s", Better.LOWER, fork -> restart(fork, UNTIL_RATE)),
                Figure.told(
                    "restart, read",
                    "MiB",
                    f ->
                        SearchFigures.scaled(
                            f.kind(RESTART).reads().get(Value.READ_BYTES), SearchFigures.MEBIBYTE)),
                Figure.told(LOADED, "MiB", fork -> restart(fork, LOADED) / SearchFigures.MEBIBYTE),
                Figure.told("warm p99", "ms", fork -> fork.kind(WARM).latencies().millis("p99")),
                Figure.told("warm rate", "queries/s", fork -> fork.kind(WARM).rate()),
                SearchFigures.share(
                    WARM,
                    "read",
                    "warm read",
                    "KiB a query",
                    SearchFigures.KIBIBYTE,
                    Value.READ_BYTES))));
    // A mean over one kind would be another name for it.
    SearchFigures.of(List.of(RESTART), plan).stream()
        .map(g -> new Figures<>(g.title(), g.meaning(), g.onTerminal(), false, g.all()))
        .forEach(all::add);
    return all;
  }

  private static Double restart(SearchSamples fork, String figure) {
    KindSamples restart = fork.kind(RESTART);
    return restart.figures().getOrDefault(figure, restart.seconds());
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<SearchSamples>> samples) {
    List<String> notes = new ArrayList<>(readAhead.hints());
    for (String figure : List.of(UNTIL_P99, UNTIL_RATE)) {
      samples.forEach(
          (label, forks) -> {
            long missed =
                forks.stream()
                    .map(f -> f.kind(RESTART).figures())
                    .filter(f -> !f.containsKey(figure))
                    .count();
            if (missed > 0) {
              String note = "%s: %s was not reached in %d of %d forks: the whole time counts.";
              notes.add(Numbers.text(note, label, figure, missed, forks.size()));
            }
          });
    }
    return results.noting(notes);
  }
}
