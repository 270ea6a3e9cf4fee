// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.advise.Rules.DeviceReads;
import io.github.lucenedirectories.benchmarks.advise.Rules.Fit;
import io.github.lucenedirectories.benchmarks.advise.Rules.Situation;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.MillisConverter;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.RunOptions.Defaults;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.results.Results.Skipped;
import io.github.lucenedirectories.benchmarks.tasks.TaskFile;
import io.github.lucenedirectories.benchmarks.workload.Memory;
import io.github.lucenedirectories.benchmarks.workload.SearchFigures;
import io.github.lucenedirectories.benchmarks.workload.SearchForks;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples;
import io.github.lucenedirectories.benchmarks.workload.SearchSamples.KindSamples;
import io.github.lucenedirectories.benchmarks.workload.WarmSearch;
import io.github.lucenedirectories.tools.ExistingIndex;
import io.github.lucenedirectories.tools.console.UsageException;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code advise}: which directory suits a user's own index on this machine. */
@Command(
    name = "advise",
    description =
        "Look at an index and this machine, measure for a few minutes, and recommend a directory."
            + " Nothing is ever written to the index.",
    footer = {
      "",
      "Measured are MMapDirectory, the same again (the noise), HybridDirectory, MappedDirectory and"
          + " NioDirectory; RamDirectory where the index fits in memory; MMapDirectory with read"
          + " advice by context and BlockCacheDirectory where it does not. The last of these are"
          + " left out where --time is too short. A directory is called faster only where its 95 %%"
          + " interval is above 1 and above that of the noise. p99 counts for the kinds of which"
          + " each JVM ran 100 queries or more.",
      "",
      "With --limit each JVM has a control group of that memory, and the index is taken out of the"
          + " page cache before each: do not do that on the machine that serves it at the moment."
          + " Without it the page cache is left as it is, but an index that fits is read once."
    })
public final class AdviseWorkload extends Workload<SearchSamples> {
  /* Cheap and dear ones that read every kind of file but vectors and points. */
  private static final List<String> KINDS =
      List.of("HighTerm", "MedTerm", "AndHighMed", "Phrase", "Prefix3", "PKLookup", "Stored");

  private static final int PICKED_QUERIES = 100;
  private static final int GIVEN_QUERIES = 1_000;
  private static final long MOST_HEAP_MEGABYTES = 1024;
  private static final long QUICK_MILLIS = 60_000;
  private static final double TRIED_SECONDS = 0.2;
  private static final double NANOS = 1e9;
  private static final double MILLIS_A_SECOND = 1e3;

  /* A fork that searches for less says little. */
  private static final double LEAST_SECONDS = 0.6;
  private static final double WARM_UP = 0.6;
  private static final int LEAST_FORKS = 2;

  /* A copy into fresh memory on a modest machine. */
  private static final double LOADED_BYTES_A_SECOND = 300e6;

  /* Of the time, loading may take this share, and so many seconds in any case. */
  private static final double LOADING = 0.25;
  private static final double LOADING_SECONDS = 3;

  /* The baseline and its control. */
  private static final int BASELINES = 2;

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
      names = "--time",
      paramLabel = "TIME",
      description =
          "for everything, about; where it is too short, fewer directories are measured (default:"
              + " 3m, with --quick 1m)",
      converter = MillisConverter.class)
  private @Nullable Double timeMillis;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      description =
          "the Java heap of your application, such as 512m or 2g (default: a fifth of the memory,"
              + " at most 1g)")
  private @Nullable String heap;

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "recommend for a container of so much memory: 700m, 1g, or 50%% of the index; needs Linux"
              + " and the right to make control groups (default: all memory there is)")
  private @Nullable String limit;

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 1)")
  private int threads = 1;

  private Prepared prepared = Prepared.NONE;

  private Memory memory = new Memory(0, 0, 0);

  private transient @Nullable Cgroups groups;

  private transient @Nullable SearchForks forks;

  private transient @Nullable Inspection inspection;
  private String searched = "";
  private int given;

  @Override
  public Plan plan(Host host) throws IOException {
    long start = System.nanoTime();
    memory = memory(folderBytes());
    memory.checkHeap("a smaller --heap" + (limit == null ? "" : " or a larger --limit"));
    if (limit != null) {
      Cgroups found = Cgroups.find();
      memory.checkLimit(found.leastLimitAbove());
      groups = found;
    }
    // Refused at once if they cannot be read.
    given = queries == null ? 0 : TaskFile.read(queries).size();
    host.progress().note("Looking at the index");
    Inspection found = inspect(host);
    inspection = found;
    searched = found.contents().searchedField(field);
    // Without what else is in the folder: no directory reads that.
    memory =
        new Memory(memory.limitBytes(), memory.heapMegabytes(), found.contents().committedBytes());
    host.progress().note("Choosing queries");
    prepared = prepare(host);
    forks = new SearchForks(Path.of(prepared.index()));
    host.progress().note("Measuring what a JVM costs here");
    double overheadSeconds = overheadSeconds(host);
    double millis = run.isQuick() ? QUICK_MILLIS : 3 * QUICK_MILLIS;
    double seconds =
        (timeMillis == null ? millis : timeMillis) / MILLIS_A_SECOND
            - (System.nanoTime() - start) / NANOS;
    List<Skipped> skipped = new ArrayList<>(prepared.skipped());
    // If each gets as little as possible.
    int most = (int) Math.max(0, seconds / (LEAST_FORKS * (overheadSeconds + LEAST_SECONDS)));
    List<Column> columns = columns(found, memory, seconds, most, skipped);
    Defaults budget = budget(seconds, columns, overheadSeconds, memory.indexBytes());
    values = run.values(budget, budget);
    if (values.forks() < 2) {
      throw new UsageException("--forks must be at least 2: one fork has no interval");
    }
    return plan(columns, skipped);
  }

  @Override
  public void check() throws IOException {
    RunOptions.positive("--threads", threads);
    if (memory(0).heapMegabytes() == 0) {
      throw new UsageException("--heap must be at least 1m: " + heap);
    }
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

  private long folderBytes() {
    File[] files = Objects.requireNonNullElse(index.toFile().listFiles(), new File[0]);
    return Stream.of(files).filter(File::isFile).mapToLong(File::length).sum();
  }

  private Memory memory(long indexBytes) {
    long limitBytes = Memory.bytes("--limit", limit, indexBytes, Environment.memoryBytes());
    long usual = Math.min(MOST_HEAP_MEGABYTES, Memory.usualHeapMegabytes(limitBytes)) << 20;
    return new Memory(
        limitBytes, Memory.bytes("--heap", heap, limitBytes, usual) >> 20, indexBytes);
  }

  private Inspection inspect(Host host) throws IOException {
    Inspection.Job job = new Inspection.Job(index.toAbsolutePath().toString());
    JvmFlags flags = memory.flags();
    try (Cgroups.Group group = new SearchForks.Limit(memory, groups).group(host);
        ChildJvm child =
            ChildJvm.start(
                host.workspace(),
                flags,
                "the look at the index",
                job,
                group == null ? List.of() : group.launcher())) {
      return child.result(Inspection.class);
    }
  }

  private int queriesOfKind() {
    return queries == null ? PICKED_QUERIES : GIVEN_QUERIES;
  }

  private Prepared prepare(Host host) throws IOException {
    IndexSource source =
        new IndexSource(
            index.toAbsolutePath().toString(), new Corpus(List.of(), 1), false, searched);
    Prepared ready =
        new Preparation(
                source,
                queries == null ? null : queries.toAbsolutePath().toString(),
                queries == null ? KINDS : List.of(),
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

  /** The time of a fork without the time that it searches. */
  private double overheadSeconds(Host host) throws IOException {
    Column baseline = Column.of(Variants.BASELINE, Use.SEARCH);
    values = new Defaults(1, TRIED_SECONDS, TRIED_SECONDS);
    long start = System.nanoTime();
    SearchSamples tried = measure(host, plan(List.of(baseline), List.of()), baseline, run.seed());
    double seconds = (System.nanoTime() - start) / NANOS;
    double searching = tried.kinds().values().stream().mapToDouble(KindSamples::seconds).sum();
    return Math.max(0, seconds - searching - TRIED_SECONDS);
  }

  static Defaults budget(
      double seconds, List<Column> columns, double overheadSeconds, long indexBytes) {
    double loadSeconds =
        columns.stream()
            .mapToDouble(c -> c.named(Use.SEARCH).shareInMemory())
            .map(share -> share * indexBytes / LOADED_BYTES_A_SECOND)
            .sum();
    double leastRound = columns.size() * (overheadSeconds + LEAST_SECONDS) + loadSeconds;
    int forks = Math.clamp((long) (seconds / leastRound), LEAST_FORKS, Rules.FORKS);
    double searching =
        Math.max(LEAST_SECONDS, (seconds / forks - loadSeconds) / columns.size() - overheadSeconds);
    return new Defaults(forks, WARM_UP * searching, (1 - WARM_UP) * searching);
  }

  /** The directories that are worth measuring, the baseline first. */
  static List<Column> columns(
      Inspection found, Memory memory, double seconds, int most, List<Skipped> skipped) {
    long pageCacheBytes = found.machine().pageCacheBytes();
    List<String> names = new ArrayList<>(List.of(Rules.HYBRID, Rules.MAPPED, Rules.NIO));
    if (Fit.of(found.contents().bytes(), pageCacheBytes) == Fit.TOO_LARGE) {
      names.addAll(List.of(Rules.ADVISED, Rules.CACHED));
    } else {
      skipped.add(new Skipped(Rules.CACHED, 0, "the page cache holds the whole index"));
    }
    Variant ram = Variants.named(Rules.RAM, Use.SEARCH);
    if (!memory.hasRoomFor(ram) || memory.indexBytes() * 5 / 4 > pageCacheBytes) {
      skipped.add(new Skipped(Rules.RAM, 0, "it holds the index in memory and that does not fit"));
    } else if (memory.indexBytes() / LOADED_BYTES_A_SECOND * Rules.FORKS
        > Math.max(LOADING_SECONDS, LOADING * seconds)) {
      skipped.add(new Skipped(Rules.RAM, 0, "to load the index so often takes too much of --time"));
    } else {
      names.add(Rules.RAM);
    }
    while (names.size() > 1 && names.size() + BASELINES > most) {
      skipped.add(new Skipped(names.removeLast(), 0, "--time is too short for it"));
    }
    return Column.compared(Variants.BASELINE, names, Use.SEARCH);
  }

  private Plan plan(List<Column> columns, List<Skipped> skipped) {
    Inspection found = Objects.requireNonNull(inspection);
    String bytes = Numbers.bytes(memory.limitBytes());
    String group =
        limit == null ? "" : "; each JVM in a control group of " + bytes + ", page cache included";
    return new Plan(
        columns,
        List.of(Variants.BASELINE),
        List.of(),
        values.forks(),
        memory.flags(),
        "A directory for " + prepared.index(),
        List.of(
            found.contents().summary(prepared.index(), searched),
            found.machine().summary(found.contents().folderBytes()),
            note(
                prepared.kinds(),
                Numbers.text(
                    "at most %,d of %s queries (%d of %d find nothing)",
                    queriesOfKind(),
                    queries == null ? "the picked" : "your",
                    prepared.withoutHits(),
                    prepared.queries()),
                columns.size(),
                pace() + ", shared by the kinds" + group,
                threads,
                ", at most 10 queries of each kind")),
        Map.of("contents", found.contents(), "machine", found.machine()),
        skipped);
  }

  @Override
  public SearchSamples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    return Objects.requireNonNull(forks)
        .measure(this, host, plan, column, seed, new SearchForks.Limit(memory, groups), 0);
  }

  @Override
  public SearchSamples run(Column column, Fork fork) throws IOException {
    return WarmSearch.run(fork, column, prepared, threads, values);
  }

  @Override
  public List<Figures<SearchSamples>> figures(Plan plan) {
    return SearchFigures.of(prepared.kinds(), plan);
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<SearchSamples>> samples) {
    List<String> kinds = prepared.kinds();
    List<String> tails =
        kinds.stream()
            .filter(
                kind ->
                    samples.values().stream()
                        .flatMap(List::stream)
                        .allMatch(fork -> fork.kind(kind).queries() >= Rules.TAIL_QUERIES))
            .toList();
    List<Candidate> candidates = Candidate.all(results, kinds, tails, plan.forks(), run.seed());
    Interval noise = Candidate.noise(results);
    Situation situation =
        new Situation(
            prepared.index(),
            searched,
            Objects.requireNonNull(inspection),
            prepared.queries(),
            prepared.withoutHits(),
            given,
            prepared.skipped().stream().mapToInt(Skipped::lines).sum(),
            limit != null,
            heap == null ? null : Long.valueOf(plan.flags().heapMegabytes()),
            plan.forks(),
            kinds.stream().filter(kind -> !tails.contains(kind)).toList(),
            reads(Objects.requireNonNull(samples.get(Variants.BASELINE))));
    return SearchFigures.withLatencies(results, kinds, samples)
        .advising(new Rules(situation, candidates, noise).advice())
        .noting(candidates.stream().map(Candidate::toString).toList());
  }

  private static DeviceReads reads(List<SearchSamples> forks) {
    List<KindSamples> kinds = forks.stream().flatMap(f -> f.kinds().values().stream()).toList();
    ProcessReading all =
        kinds.stream().map(KindSamples::reads).reduce(ProcessReading::plus).orElseThrow();
    return new DeviceReads(
        kinds.stream().mapToLong(KindSamples::queries).sum(),
        Objects.requireNonNullElse(all.get(Value.MAJOR_FAULTS), 0L),
        Objects.requireNonNullElse(all.get(Value.READ_BYTES), 0L));
  }
}
