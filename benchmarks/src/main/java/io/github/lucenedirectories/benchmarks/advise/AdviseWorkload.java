// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.paired.PairedSamples;
import io.github.lucenedirectories.benchmarks.paired.PairedWorkload;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.results.Results.Table;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.workload.Memory;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code advise}: {@code compare} on a user's index, with a table of facts and a choice. */
@Command(
    name = "advise",
    description =
        "Look at an index and this machine, compare the directories on it, and recommend one."
            + " Nothing is ever written to the index.",
    footer = {
      "",
      "Compared are MMapDirectory, the same again (the noise), HybridDirectory, MappedDirectory and"
          + " NioDirectory, and RamDirectory where the index fits in memory twice. An index that"
          + " does not fit in the page cache is refused, with the command that measures it.",
      "",
      "By default 6 JVMs, each with at most 19 s of warm-up and 18 s measured; with --quick 4 JVMs,"
          + " 12 s and 6 s."
    })
public final class AdviseWorkload extends PairedWorkload {
  private static final Defaults FULL = new Defaults(6, 19, 18);
  private static final Defaults QUICK = new Defaults(4, 12, 6);
  private static final int PICKED_QUERIES = 10;
  private static final int GIVEN_QUERIES = 1_000;

  /* Files take this share of the page cache at most, if they are to stay in it. */
  private static final double SHARE = 0.9;

  @Parameters(index = "0", paramLabel = "INDEX", description = "the index's folder; only read")
  private Path index = Path.of("");

  @Option(
      names = "--queries",
      paramLabel = "FILE",
      description =
          "your queries, plain or gzip: one a line in Lucene's classic syntax, or a luceneutil task"
              + " file; lines that name a field (title:word) are left out, and of each kind at most"
              + " 1,000 are taken, at random (default: picked from the index's words)")
  private @Nullable Path queries;

  @Option(
      names = "--field",
      paramLabel = "NAME",
      description = "the text field (default: the one with most terms that have positions)")
  private @Nullable String field;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description = "the Java heap of your application, such as 512m or 2g (default: 640m)")
  private @Nullable String heap;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "the memory of your container, heap and page cache together: 700m, 1g, or 50%% of the"
              + " index (default: all memory there is)")
  private @Nullable String limit;

  private transient Map<String, String> facts = new LinkedHashMap<>();
  private transient boolean mayOutgrowMemory;

  @Override
  public void check() throws IOException {
    super.check();
    RunOptions.refuse(Memory.bytes("--limit", limit, 0, 0) < 0, "--limit must not be negative");
    RunOptions.refuse(flags().heapMegabytes() == 0, "--heap must be at least 1m: " + heap);
    ExistingIndex.checkFolder(index);
    Path out = run.out(name());
    Path parent = out.toAbsolutePath().normalize();
    while (!Files.exists(parent)) {
      parent = parent.resolveSibling("").normalize();
    }
    if (parent.toRealPath().startsWith(index.toRealPath())) {
      throw new UsageException(
          "--out " + out + " is in the index, where nothing is ever written: name another folder");
    }
    if (queries != null && !Files.isRegularFile(queries)) {
      throw new UsageException("no such file: " + queries);
    }
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    // Refused at once if they cannot be read.
    int given = queries == null ? 0 : TaskFile.read(queries).size();
    JvmFlags flags = flags();
    host.progress().note("Looking at the index");
    Inspection found;
    Inspection.InspectionJob job = new Inspection.InspectionJob(index.toAbsolutePath().toString());
    try (ChildJvm child =
        ChildJvm.start(host.workspace(), flags, "the look at the index", job, List.of())) {
      found = child.result(Inspection.class);
    }
    String searched = found.contents().searchedField(field);
    long bytes = found.contents().bytes();
    long room = room(found, flags, bytes);
    if (bytes > room) {
      throw new UsageException(
          Numbers.text(
              "the index has %s and the page cache room for %s: measure with a limit, ./run"
                  + " memory-limit --index %s --field %s --limit %dm",
              Numbers.bytes(bytes),
              Numbers.bytes(room),
              index,
              searched,
              (room >> 20) + flags.heapMegabytes()));
    }
    mayOutgrowMemory = 2 * bytes > room;
    host.progress().note("Choosing queries");
    prepared = prepare(host, searched);
    List<Skipped> skipped = new ArrayList<>(prepared.skipped());
    List<String> names =
        new ArrayList<>(List.of("HybridDirectory", "MappedDirectory", "NioDirectory"));
    if (bytes + found.contents().committedBytes() <= room) {
      names.add("RamDirectory");
    } else {
      skipped.add(new Skipped("RamDirectory", 0, "because the index does not fit in memory twice"));
    }
    facts.putAll(found.contents().facts());
    facts.put("searched field", searched);
    facts.put(
        "queries",
        Numbers.text(
            "%,d %s, %,d without hits",
            prepared.queries(),
            queries == null ? "picked from the index" : "of your " + given,
            prepared.withoutHits()));
    facts.putAll(found.machine());
    List<Column> columns = Column.compared(Variants.BASELINE, names, Use.SEARCH);
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        List.of(),
        values.forks(),
        flags,
        "A directory for " + prepared.index(),
        List.of(note("at most " + queriesOfKind(), columns.size())),
        Map.of("inspection", found),
        skipped);
  }

  private JvmFlags flags() {
    JvmFlags usual = JvmFlags.forIndex(0);
    return heap == null
        ? usual
        : new JvmFlags(Memory.bytes("--heap", heap, 0, 0) >> 20, usual.collector());
  }

  /** What the page cache can hold of the index, on this machine or in the user's container. */
  private long room(Inspection found, JvmFlags flags, long indexBytes) {
    long pageCacheBytes = found.pageCacheBytes();
    long limitBytes = Memory.bytes("--limit", limit, indexBytes, Long.MAX_VALUE);
    long left = Math.max(0, limitBytes - (flags.heapMegabytes() << 20));
    return (long) (SHARE * Math.min(pageCacheBytes, left));
  }

  private int queriesOfKind() {
    return queries == null ? PICKED_QUERIES : GIVEN_QUERIES;
  }

  private Prepared prepare(Host host, String searched) throws IOException {
    Prepared ready =
        new Preparation(
                new IndexSource(
                    index.toAbsolutePath().toString(), new Corpus(List.of(), 1), false, searched),
                queries == null ? null : queries.toAbsolutePath().toString(),
                queries == null ? QUICK_KINDS : List.of(),
                true,
                host.out().toAbsolutePath().toString())
            .run(
                host.workspace(), queriesOfKind(), run.seed(), host.out().resolve("queries.tasks"));
    if (ready.withoutHits() == ready.queries()) {
      throw new UsageException(
          "none of "
              + ready.queries()
              + " queries finds anything in field '"
              + searched
              + "': name another --field, or write the words as the index has them");
    }
    return ready;
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<PairedSamples>> samples) {
    Choice choice = Choice.of(results, mayOutgrowMemory);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("recommended", choice.directory);
    all.put("code", choice.code);
    all.put("artifact", choice.artifact);
    all.put("JVM flags", "--enable-native-access=ALL-UNNAMED --add-modules jdk.incubator.vector");
    all.putAll(facts);
    List<List<String>> rows =
        all.entrySet().stream().map(fact -> List.of(fact.getKey(), fact.getValue())).toList();
    return results.withTables(List.of(new Table("Facts", "", List.of("fact", ""), rows)));
  }
}
