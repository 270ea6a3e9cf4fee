// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.Plan.Pair;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.paired.PairedSamples;
import io.github.lucenedirectories.benchmarks.paired.PairedWorkload;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code compare}: runs the same queries on one index through every directory. */
@Command(
    name = "compare",
    description = "Search one index through Lucene's directories and ours, and compare the speeds.",
    footer = {
      "",
      "All directories take turns in one JVM. By default 6 JVMs, each with at most 90 s of warm-up,"
          + " which ends when the JIT compiler rests, and 45 s measured; with --quick 6 JVMs, 19 s,"
          + " 18 s, four directories and five kinds of query: at most five minutes."
    })
public final class CompareWorkload extends PairedWorkload {
  private static final Defaults FULL = new Defaults(6, 90, 45);
  private static final Defaults QUICK = new Defaults(6, 19, 18);
  private static final List<String> QUICK_DIRECTORIES =
      List.of("MappedDirectory", "RamDirectory", "NioDirectory", "HybridDirectory");
  private static final int QUERIES = 10;
  private static final int QUICK_QUERIES = 4;
  private static final List<Pair> PAIRS =
      List.of(
          new Pair("RamDirectory", "MappedDirectory"),
          new Pair("RamDirectory", "ByteBuffersDirectory"),
          new Pair("NioDirectory", "NIOFSDirectory"));

  @Mixin private transient IndexOptions index = new IndexOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Mixin private transient DirectorySelection directories = new DirectorySelection();

  @Mixin private transient PersistentMemory dax = new PersistentMemory();

  @Option(
      names = "--against",
      paramLabel = "FOLDER",
      description =
          "another working copy of this library, built by ./run: each directory is also measured"
              + " with the classes of that copy")
  private transient @Nullable Path against;

  @Option(
      names = "--slowed",
      paramLabel = "PERCENT",
      hidden = true,
      description = "measure the baseline once more, with queries that take so much longer")
  private double slowed;

  @Override
  public void check() throws IOException {
    super.check();
    run.values(FULL, QUICK);
    index.check();
    tasks.check();
    dax.check();
    columns();
  }

  private List<Column> columns() throws IOException {
    List<Column> columns =
        new ArrayList<>(
            directories.columns(
                Variants.BASELINE, run.isQuick() ? QUICK_DIRECTORIES : List.of(), Use.SEARCH));
    if (slowed > 0) {
      columns.add(slowed(columns.getFirst(), slowed));
    }
    if (against != null) {
      String classPath = classPath(against);
      for (Column column : List.copyOf(columns.subList(2, columns.size()))) {
        columns.add(otherBuild(column, classPath));
      }
    }
    return columns;
  }

  /** The library's classes in a working copy. */
  private static String classPath(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder, 4)) {
      String classPath =
          files
              .filter(file -> file.endsWith("target/quick/classes"))
              .map(file -> file.toAbsolutePath().normalize())
              .filter(
                  file -> file.getName(file.getNameCount() - 4).toString().matches("directory-.*"))
              .map(Path::toString)
              .collect(Collectors.joining(File.pathSeparator));
      if (classPath.isEmpty()) {
        throw new UsageException(
            "no classes of this library in --against " + folder + ": build it by ./run help there");
      }
      return classPath;
    }
  }

  @Override
  public Workspace workspace() throws IOException {
    return dax.workspace();
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    List<Column> columns = columns();
    int queries = tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES);
    List<String> kinds = run.isQuick() ? QUICK_KINDS : List.of();
    prepared =
        new Preparation(index.source(), tasks, kinds, host.out())
            .run(host.workspace(), queries, run.seed(), host.out().resolve("queries.tasks"));
    List<Pair> pairs = new ArrayList<>(PAIRS);
    for (Column column : columns) {
      if (columns.stream().anyMatch(c -> c.label().equals(before(column.label())))) {
        pairs.add(new Pair(column.label(), before(column.label())));
      }
    }
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        pairs,
        values.forks(),
        flags(columns, AvailableMemory.pageCacheBytes()),
        "Lucene directories compared",
        List.of(prepared.summary() + ".", note("at most " + queries, columns.size())),
        Map.of(),
        prepared.skipped());
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<PairedSamples>> samples) {
    return PersistentMemory.noted(results, samples, PairedSamples::directory);
  }
}
