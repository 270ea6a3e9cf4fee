// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DeviceCounts;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.MeasuringCommand;
import io.github.lucenedirectories.benchmarks.harness.PersistentMemory;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.CommitSamples;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.Commits;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.Recovery;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.Round;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.Way;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code commit}: commits a few documents at a time, in every directory whose commits last. */
@Command(
    name = "commit",
    description = "Commit every few documents, in Lucene's directories and ours.",
    footer = {
      "",
      "Compares MMapDirectory on the disk of --folder (the baseline) and on a tmpfs,"
          + " HybridDirectory, NrtCacheDirectory over it with and without a commit journal,"
          + " RamDirectory over MappedDirectory, and PmemDirectory in mode EMULATED on the tmpfs and"
          + " in mode FILE on the disk; with --dax also MMapDirectory and PmemDirectory on"
          + " persistent memory. The report names what this machine does not allow.",
      "All take turns in one JVM. --forks: rounds; --seconds: of a directory in a round."
    })
public final class CommitWorkload extends MeasuringCommand<CommitSamples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 6.5, 26);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(4, 1.3, 2.6);
  private static final Path TMPFS = Path.of("/dev/shm");
  private static final String DAX_BASELINE = "MMapDirectory DAX";
  private static final String NRT_CACHE = "NrtCacheDirectory";
  private static final String JOURNALED = NRT_CACHE + "-journal";

  /* Enough that commits differ, and read in no time. */
  private static final int MOST_LINES = 10_000;
  private static final int TEXT_IN_MEMORY = 3;

  private static final String WHOLE =
      "All of IndexWriter.commit: flushing the documents added since the last commit, writing the"
          + " segment and the commit, syncing both. Adding the documents is not included. If Lucene"
          + " merges on commit, waiting for the merge is included.";
  private static final String PART = "The directory's own part of a commit";
  private static final String OWN =
      "Wall-clock time of the committing thread in the directory's sync, syncMetaData and rename:"
          + " what makes the commit durable. Waiting for a lock or for a processor is included.";
  private static final String THREADS = "Of all threads; each adds and commits in turn.";
  private static final String DISK =
      "What the kernel counts for the whole disk while documents are added and committed, with what"
          + " else writes to it: requests, of which each flush of its own cache is one too."
          + " Bytes: until a last checkpoint has ended and nothing is left to write.";
  private static final String REOPEN =
      "SearcherManager.maybeRefresh after each document. After every hundredth there is a commit,"
          + " which is not included.";
  private static final String RECOVERY =
      "With all files in the page cache. copy: reading the journal, writing its bytes once to files"
          + " of 1 MiB, and syncing these.";

  /* A smaller journal has no room for the files of a commit and the space that it keeps free. */
  private static final long LEAST_JOURNAL = 1L << 26;

  private static final double MICROS = 1e3;
  private static final int FEW = 100;

  private static final List<Measure> MEASURES =
      List.of(
          Measure.time("Commit", WHOLE, "commit", "p50", Commits::whole),
          Measure.time(PART, OWN, "own part of commit", "p50", Commits::own),
          Measure.time("Commit", WHOLE, "commit", "p99", Commits::whole),
          Measure.time(PART, OWN, "own part of commit", "p99", Commits::own),
          new Measure(
              "Commits per second",
              THREADS,
              "commits per second of %s",
              "/s",
              Better.HIGHER,
              Commits::perSecond),
          new Measure(
              "Documents per second",
              THREADS,
              "documents per second by %s",
              "docs/s",
              Better.HIGHER,
              c -> c.perSecond() * c.way().documents()),
          Measure.disk(
              "Bytes written to the disk for a document",
              "bytes written per document by %s",
              c -> c.perCommit(c.settled(), d -> (double) d.writtenBytes() / c.way().documents())),
          Measure.disk(
              "Writes to the disk for a commit",
              "writes per commit of %s",
              c -> c.perCommit(c.device(), DeviceCounts::writes)),
          Measure.disk(
              "Flushes of the disk for a commit",
              "flushes per commit of %s",
              c -> c.perCommit(c.device(), DeviceCounts::flushes)));

  private static final List<Kind> KINDS =
      List.of(
          new Kind("HybridDirectory", "HybridDirectory", Place.DISK),
          new Kind(NRT_CACHE, "NrtCacheDirectory-Hybrid", Place.DISK),
          new Kind(JOURNALED, "NrtCacheDirectory-Hybrid", Place.DISK),
          new Kind("MMapDirectory tmpfs", Variants.BASELINE, Place.TMPFS),
          new Kind(
              "PmemDirectory EMULATED tmpfs",
              "PmemDirectory(engine=LLPL, mode=EMULATED)",
              Place.TMPFS),
          new Kind("PmemDirectory FILE", "PmemDirectory(engine=JDK, mode=FILE)", Place.DISK),
          new Kind("RamDirectory-backed", "RamDirectory-backed", Place.DISK),
          new Kind(DAX_BASELINE, Variants.BASELINE, Place.DAX),
          new Kind("PmemDirectory LLPL DAX", "PmemDirectory(engine=LLPL, mode=PMEM)", Place.DAX),
          new Kind("PmemDirectory JDK DAX", "PmemDirectory(engine=JDK, mode=PMEM)", Place.DAX));

  @Mixin private transient TextOptions text = new TextOptions();

  @Option(
      names = "--documents-per-commit",
      split = ",",
      paramLabel = "N",
      description = "sizes of commits (default: 1,10,100,1000; 1,100 if quick)")
  private List<Integer> documentsPerCommit = List.of();

  @Option(
      names = "--indexes",
      split = ",",
      paramLabel = "N",
      description = "how many commit at once, a thread each (default: 1,4,16; 1,16 if quick)")
  private List<Integer> indexes = List.of();

  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "NAME",
      description = "those to compare with the baseline, as reports name them (default: all)")
  private List<String> directories = List.of();

  @Option(
      names = "--folder",
      paramLabel = "FOLDER",
      description =
          "where indexes and journals are, on the disk to measure (default: that of --out)")
  private @Nullable Path folder;

  @Option(
      names = "--recovery",
      arity = "0..1",
      fallbackValue = "256m",
      paramLabel = "BYTES",
      description = "also recover a full journal of this size, 256m if none is given",
      converter = ByteCount.class)
  private long recoveryBytes;

  @Mixin private transient PersistentMemory dax = new PersistentMemory();

  private PreparedText lines = PreparedText.NONE;
  private transient @Nullable ChildJvm child;

  /** Where the files are: on the disk of {@code --folder}, or on persistent memory. */
  private enum Place {
    DISK,
    TMPFS,
    DAX
  }

  private record Kind(String label, String variant, Place place) {}

  /** What is measured of each way to commit. */
  private record Measure(
      String title,
      String meaning,
      String task,
      String unit,
      Better better,
      Function<Commits, @Nullable Double> value) {

    static Measure time(
        String title, String meaning, String task, String p, Function<Commits, Recorded> times) {
      return new Measure(
          title + ", " + p,
          meaning,
          task + " of %s " + p,
          "us",
          Better.LOWER,
          c -> times.apply(c).millis(p) * MICROS);
    }

    static Measure disk(String title, String task, Function<Commits, @Nullable Double> value) {
      return new Measure(title, DISK, task, "", Better.LOWER, value);
    }

    Figure<CommitSamples> figure(Way way) {
      return new Figure<>(
          Numbers.text(task, way),
          "of " + way.documents(),
          unit,
          better,
          s -> value.apply(s.of(way)));
    }
  }

  @Override
  public Plan plan(Host host) throws IOException {
    documentsPerCommit =
        chosen("--documents-per-commit", documentsPerCommit, List.of(1, 10, 100, 1000));
    indexes = chosen("--indexes", indexes, List.of(1, 4, 16));
    for (String name : directories) {
      List<String> known = KINDS.stream().map(Kind::label).toList();
      RunOptions.refuse(!known.contains(name), "--directories must be of " + known + ": " + name);
    }
    RunOptions.refuse(
        recoveryBytes != 0 && recoveryBytes < LEAST_JOURNAL, "--recovery must be at least 64m");
    text.check();
    values = run.values(FULL, QUICK);
    List<Results.Skipped> skipped = new ArrayList<>();
    List<Column> columns = columns(host, skipped);
    lines = PreparedText.prepare(host.workspace(), text.spec(), MOST_LINES);
    Path disk = folder == null ? host.out() : folder;
    return new Plan(
        columns,
        List.of(Variants.BASELINE, NRT_CACHE, DAX_BASELINE),
        List.of(),
        values.forks(),
        JvmFlags.forWriting(lines.bytes() * TEXT_IN_MEMORY, JvmFlags.Collector.SERIAL),
        "Commits in Lucene directories",
        List.of(
            Numbers.text(
                "%s: %,d documents, over and over, without vectors. Lucene's default merging.",
                lines.source(), lines.documents()),
            Numbers.text(
                "One thread commits to each index. All directories take turns in one JVM: %.1f s"
                    + " dropped, then in each round %.1f s, shared by the numbers of documents per"
                    + " commit and of indexes, and by reopens. Each turn has new indexes, after a"
                    + " first commit that is not counted; with a journal all share it. All"
                    + " documents were found every time.",
                values.warmupSeconds(), values.seconds())),
        Map.of("fileSystem", Files.getFileStore(disk).type()),
        skipped);
  }

  /** The numbers given; else the usual ones, or every second of them. */
  private List<Integer> chosen(String option, List<Integer> given, List<Integer> usual) {
    given.forEach(number -> RunOptions.positive(option, number));
    List<Integer> all = given.isEmpty() ? usual : given.stream().distinct().toList();
    return given.isEmpty() && run.isQuick()
        ? usual.stream().filter(number -> usual.indexOf(number) % 2 == 0).toList()
        : all;
  }

  /** What can be measured here. Each directory is opened once to find out. */
  private List<Column> columns(Host host, List<Results.Skipped> skipped) throws IOException {
    Column baseline = column(host, new Kind(Variants.BASELINE, Variants.BASELINE, Place.DISK));
    List<Column> columns = new ArrayList<>(List.of(baseline, baseline.again()));
    for (Kind kind : KINDS) {
      if ((kind.place() == Place.DAX && dax.folder() == null)
          || !(directories.isEmpty() || directories.contains(kind.label()))) {
        continue;
      }
      Column column = column(host, kind);
      try {
        if (kind.place() == Place.TMPFS
            && !(Files.isDirectory(TMPFS) && Files.getFileStore(TMPFS).type().equals("tmpfs"))) {
          throw new IOException("not a tmpfs: " + TMPFS);
        }
        if (kind.place() == Place.DAX) {
          PersistentMemory.probe(Objects.requireNonNull(dax.folder()));
        }
        CommitRounds.open(column, null, 0).close();
        columns.add(
            kind.label().equals(JOURNALED)
                ? column.with(JOURNALED, CommitRounds.JOURNAL, "shared")
                : column);
      } catch (IOException | RuntimeException e) {
        skipped.add(new Results.Skipped(kind.label(), 0, PersistentMemory.reason(e)));
      } finally {
        IOUtils.rm(CommitRounds.folder(column));
      }
    }
    return columns;
  }

  private Column column(Host host, Kind kind) {
    String name = host.workspace().name();
    Path place =
        switch (kind.place()) {
          case DISK -> folder == null ? host.scratch() : folder.resolve(name).toAbsolutePath();
          case TMPFS -> TMPFS.resolve(name);
          case DAX -> Objects.requireNonNull(dax.folder()).resolve(name).toAbsolutePath();
        };
    host.workspace().alsoRemove(place);
    return new Column(kind.label(), kind.variant(), Map.of(CommitRounds.FOLDER, place.toString()));
  }

  private List<Way> ways() {
    return indexes.stream()
        .flatMap(count -> documentsPerCommit.stream().map(size -> new Way(size, count)))
        .toList();
  }

  /** Lets the one JVM of all rounds measure the next one. */
  @Override
  protected Map<String, CommitSamples> round(Host host, Plan plan, List<Column> order, long seed)
      throws IOException {
    host.progress().step("all directories");
    ChildJvm fork = child;
    if (fork == null) {
      CommitRounds job =
          new CommitRounds(lines, plan.columns(), ways(), recoveryBytes, values, run.seed());
      fork = ChildJvm.start(host.workspace(), plan.flags(), name(), job, List.of());
      host.workspace().alsoClose(fork::close);
      child = fork;
    }
    fork.resume();
    Map<String, CommitSamples> found = fork.await(CommitRounds.ROUND, Round.class).columns();
    order.forEach(_ -> host.progress().stepDone());
    return found;
  }

  @Override
  public List<Figures<CommitSamples>> figures(Plan plan) {
    List<Figures<CommitSamples>> all = new ArrayList<>();
    for (int count : indexes) {
      for (Measure measure : MEASURES) {
        String more = count == 1 ? "" : Numbers.text(", %d indexes at once", count);
        all.add(
            Figures.everywhere(
                measure.title() + more,
                measure.meaning(),
                documentsPerCommit.stream().map(n -> measure.figure(new Way(n, count))).toList()));
      }
    }
    all.add(
        Figures.everywhere(
            "Reopen",
            REOPEN,
            Recorded.figures("reopen", List.of("p50", "p99"), CommitSamples::reopens)));
    all.add(
        Figures.everywhere(
            "Recovery of a full journal",
            RECOVERY,
            List.of(
                recovery("recovery", "s", Recovery::seconds),
                recovery("copy", "s", Recovery::copySeconds),
                recovery("recovery / copy", "", t -> t.seconds() / t.copySeconds()))));
    all.add(ProcessMetrics.figures(CommitSamples::span));
    return all;
  }

  private static Figure<CommitSamples> recovery(
      String task, String unit, Function<Recovery, Double> value) {
    return Figure.told(task, unit, s -> s.recovery() == null ? null : value.apply(s.recovery()));
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<CommitSamples>> samples) {
    List<String> hints = new ArrayList<>();
    for (Way way : ways()) {
      long fewest = Recorded.fewest(samples, s -> s.of(way).whole());
      if (fewest < FEW) {
        hints.add(
            Numbers.text(
                "With commits of %s there are rounds with only %d commits: their p99 is the longest"
                    + " one.",
                way, fewest));
      }
    }
    return PersistentMemory.noted(results, samples, CommitSamples::directory).noting(hints);
  }
}
