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
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.Task;
import io.github.lucenedirectories.benchmarks.tasks.Task.Answer;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.VectorIndex.Questions;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.lucene.search.KnnFloatVectorQuery;
import org.apache.lucene.search.Query;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code vectors}: searches vectors under memory limits, in one fork of each. */
@Command(
    name = "vectors",
    description =
        "Search vectors with less memory than their index needs, and compare the directories, with"
            + " and without the reader that prefetches.",
    footer = {
      "",
      "By default each directory gets 4 forks of each limit, each with 8 s of warm-up and 16 s"
          + " measured; with --quick 2 forks, 0.8 s and 1.6 s. Indexes, queries, and the exact"
          + " answers to the first 50, are kept in --out.",
      "",
      "What the figures mean: " + SearchFigures.KIND_MEANING,
      "",
      "Recall: the share of the exact answers that are found, with the last limit. "
          + SearchFigures.FORK_MEANING
    })
public final class VectorsWorkload extends Workload<SearchSamples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(4, 8, 16);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 0.8, 1.6);
  private static final List<String> DIRECTORIES =
      List.of(Variants.BASELINE, "MMapDirectory-advised", "HybridDirectory");

  @Mixin private VectorIndex vectors = new VectorIndex();

  @Option(
      names = "--rescore",
      paramLabel = "N",
      description = "search N and keep the best by full precision (default: no rescoring)")
  private int rescore;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      split = ",",
      description =
          "memory of each JVM, a list: 700m, 44%% of the index, none (default: half of the index,"
              + " at least 224m)")
  private List<String> limits = List.of(Memory.HALF);

  @Option(names = "--cold", description = "begin each measurement with an empty page cache")
  private boolean cold;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  private int threads = 1;

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Mixin private transient DeviceReadAhead readAhead = new DeviceReadAhead();

  private Prepared prepared = Prepared.NONE;

  /* What the next fork measures. */
  private String kind = "";

  private transient @Nullable SearchForks forks;

  @Override
  public void check() throws IOException {
    vectors.check();
    RunOptions.refuse(
        rescore != 0 && rescore < vectors.hits(),
        "--rescore must be at least --k " + vectors.hits() + ": " + rescore);
    RunOptions.positive("--threads", threads);
    readAhead.check();
    run.values(FULL, QUICK);
    limits.forEach(limit -> Memory.limitBytes(limit, 0));
    columns();
  }

  private List<Column> columns() {
    List<Column> all =
        new ArrayList<>(directories.columns(Variants.BASELINE, DIRECTORIES, Use.SEARCH));
    for (String name : directories.names(DIRECTORIES, Use.SEARCH)) {
      Column plain = Column.of(name, Use.SEARCH);
      all.add(plain.with(plain.label() + " + prefetch", SearchFork.PREFETCH, "yes"));
    }
    return all.stream().distinct().toList();
  }

  private Memory memory(String limit) {
    return Memory.of(limit, limits, null, prepared.bytes());
  }

  private static String kind(String limit) {
    return "limit " + limit;
  }

  private List<String> kinds() {
    return limits.stream().map(VectorsWorkload::kind).toList();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    prepared = vectors.prepare(host, run);
    Cgroups groups = limits.stream().allMatch(Memory.UNLIMITED::equals) ? null : Cgroups.find();
    SearchForks searching = new SearchForks(Path.of(prepared.index()), groups);
    for (String limit : limits) {
      searching.check(memory(limit));
    }
    forks = searching;
    Memory memory = memory(limits.getFirst());
    Path path = Path.of(prepared.index()).toRealPath();
    readAhead.set(host.workspace(), path);
    List<Column> columns = columns();
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        columns.stream()
            .filter(column -> column.settings().containsKey(SearchFork.PREFETCH))
            .map(column -> new Pair(column.label(), column.variant()))
            .toList(),
        values.forks(),
        memory.flags(),
        "Vector searches under a memory limit",
        List.of(
            prepared.summary() + ".",
            Numbers.text(
                "Each JVM has a heap of %d MiB and, but for the limit none, a control group. Before"
                    + " each%s the index was taken out of the page cache. The device reads ahead"
                    + " %s.",
                memory.heapMegabytes(),
                cold ? ", and again before queries that had not run," : "",
                readAhead.inForce()),
            note(
                kinds(),
                prepared.queries() + " queries, k " + vectors.hits() + ", rescored " + rescore,
                columns.size(),
                pace(),
                threads,
                " for the first " + VectorIndex.CHECKED + " queries")),
        Map.of(),
        List.of());
  }

  @Override
  public SearchSamples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    Map<String, KindSamples> all = new LinkedHashMap<>();
    SearchSamples last = null;
    for (String text : limits) {
      kind = kind(text);
      last =
          Objects.requireNonNull(forks)
              .measure(this, host, plan, column, seed, memory(text), cold ? 1 : 0);
      all.putAll(last.kinds());
    }
    return Objects.requireNonNull(last).with(all);
  }

  @Override
  public SearchSamples run(Column column, Fork fork) throws IOException {
    Path path = Path.of(prepared.index());
    Questions questions = Questions.read(prepared);
    try (SearchFork search =
        new SearchFork(fork, column, path, tasks(questions), threads, Draw.Way.UNIFORM)) {
      return search.run(
          cold ? new ColdSearch() : new WarmSearch(),
          values,
          VectorIndex.CHECKED,
          answers -> recall(questions, answers));
    }
  }

  private List<Task> tasks(Questions questions) {
    int hits = vectors.hits();
    List<Task> all = new ArrayList<>();
    for (float[] vector : questions.vectors()) {
      Query query = new KnnFloatVectorQuery(prepared.field(), vector, Math.max(hits, rescore));
      Query asked =
          rescore == 0 ? query : VectorIndex.precise(query, vector, prepared.field(), hits);
      all.add(Task.nearest(kind, all.size(), asked, hits));
    }
    return all;
  }

  private double recall(Questions questions, List<Answer> found) {
    int hits = vectors.hits();
    double count = 0;
    for (int i = 0; i < found.size(); i++) {
      Set<Integer> exact =
          Arrays.stream(questions.nearest().get(i)).limit(hits).boxed().collect(Collectors.toSet());
      count += found.get(i).hits().stream().filter(hit -> exact.contains(hit.doc())).count();
    }
    return count / found.size() / hits;
  }

  @Override
  public List<Figures<SearchSamples>> figures(Plan plan) {
    return SearchFigures.of(kinds(), plan);
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<SearchSamples>> samples) {
    return results.noting(readAhead.hints());
  }
}
