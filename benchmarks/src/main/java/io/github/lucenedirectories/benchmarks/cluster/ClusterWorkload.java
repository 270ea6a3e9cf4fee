// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.DeviceReadAhead;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.load.OpenLoop;
import io.github.lucenedirectories.benchmarks.load.StepClock;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.prepare.TextOptions;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.IndexPages;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code cluster}: searches on three nodes of OpenSearch, with each store type. */
@Command(
    name = "cluster",
    description = "Compare store types on a cluster of three OpenSearch nodes on this machine.",
    footer = {
      "",
      "All types read the same files of one index, whose type is changed while it is closed. For"
          + " each measurement three nodes are started anew, with a heap of 512 MiB each and, where"
          + " control groups can be made, a limit of memory each. Totals, hits and contents must be"
          + " those of hybridfs.",
      "",
      "Each kind of query is sent in a closed loop by --threads clients, which gives queries per"
          + " second, and then at random times at a fixed rate, which gives latencies from the"
          + " planned moment on. That rate is --rate, or half of what the first measurement"
          + " reached in its closed loop.",
    })
public final class ClusterWorkload extends Workload<ClusterWorkload.Samples> {
  static final String BASELINE = "hybridfs";
  static final String UNLIMITED = "none";

  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 60, 120);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 6, 18);
  private static final int COPIES = 16;
  private static final int QUICK_COPIES = 2;
  private static final int QUERIES = 2000;

  /* Of code, of the JDK and of the jars; what else a node needs has no file, and is measured. */
  private static final long PROGRAM_BYTES = 64 << 20;

  /* Of each kind, how many are compared. */
  private static final int COMPARED = 20;
  private static final int CONNECTIONS = 64;
  private static final double PATIENCE_SECONDS = 10;
  private static final double MEBIBYTE = 1 << 20;
  private static final double KIBIBYTE = 1 << 10;
  private static final double NANOS = 1e9;
  private static final JvmFlags CLIENT = new JvmFlags(384, Collector.SERIAL);

  private static final String MEANING =
      "p50 and p99 of a closed loop; then of an open one at the planned rate, from the planned"
          + " moment to the answer's arrival, and what was answered of it. faults: page faults of"
          + " all nodes that waited for a device; read: what they made the system read from"
          + " devices; both a query's share of the closed loop.";

  @Parameters(paramLabel = "ENGINE", description = "opensearch")
  private String engine = "";

  @Option(
      names = "--directories",
      split = ",",
      paramLabel = "TYPE",
      description = "store types to compare with hybridfs (default: directories_hybrid)")
  List<String> directories = List.of("directories_hybrid");

  @Option(
      names = "--limit",
      paramLabel = "SIZE",
      description =
          "memory of a node for what it reads: a share of its shards, such as 50%%, or bytes, such"
              + " as 200m; or none, for no limit (default: 50%%)")
  private String limit = "50%";

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "copies of each of the two shards, 0 to 2 (default: 1)")
  private int replicas = 1;

  @Option(
      names = "--rate",
      paramLabel = "N",
      description = "queries a second of each kind in the open loop")
  private @Nullable Double rate;

  @Option(names = "--threads", paramLabel = "N", description = "clients at once (default: 2)")
  private int threads = 2;

  @Mixin private transient TextOptions text = new TextOptions();

  @Mixin private transient DeviceReadAhead readAhead = new DeviceReadAhead();

  /* What a client learns from its parent. */
  private Map<String, List<String>> queries = Map.of();
  private Map<String, Double> rates = Map.of();
  private List<Integer> ports = List.of();
  private List<Long> pids = List.of();

  private transient @Nullable Nodes nodes;
  private transient Map<String, List<String>> expected = Map.of();
  private transient boolean limited;

  /**
   * What was measured with one cluster.
   *
   * @param answers of the first queries of each kind
   * @param peakBytes the most memory of a node's group; null where that is unknown
   */
  public record Samples(
      Map<String, Kind> kinds, Map<String, List<String>> answers, @Nullable Long peakBytes) {
    Kind kind(String name) {
      return Objects.requireNonNull(kinds.get(name), name);
    }
  }

  /** What was measured of one kind; the reading is of all nodes during the closed loop. */
  public record Kind(Recorded latencies, double seconds, ProcessReading reads, StepResult open) {
    double rate() {
      return latencies.count() / seconds;
    }

    @Nullable Double share(Value value, double scale) {
      Long sum = reads.get(value);
      return sum == null ? null : Double.valueOf(sum / scale / latencies.count());
    }
  }

  @Override
  public void check() {
    RunOptions.refuse(!engine.equals("opensearch"), "no such engine: '" + engine + "'; opensearch");
    for (String type : directories) {
      RunOptions.refuse(
          !type.matches("directories_(hybrid|mapped|nio|cached|nrt|ram)|mmapfs|niofs"),
          "unknown store type '"
              + type
              + "': choose from directories_hybrid, directories_mapped, directories_nio,"
              + " directories_cached, directories_nrt, directories_ram, mmapfs, niofs");
    }
    RunOptions.refuse(replicas < 0 || replicas > 2, "--replicas must be 0, 1 or 2: " + replicas);
    RunOptions.positive("--threads", threads);
    if (rate != null) {
      RunOptions.positive("--rate", rate);
    }
    pageBytes(0);
    readAhead.check();
    text.check();
    run.values(FULL, QUICK);
    Nodes.built();
  }

  /** For files, beside what a node needs itself, if there are so many bytes of them. */
  private long pageBytes(long files) {
    try {
      return limit.equals(UNLIMITED)
          ? Long.MAX_VALUE
          : limit.endsWith("%")
              ? (long) (files * Double.parseDouble(limit.substring(0, limit.length() - 1)) / 100)
              : ByteCount.parse(limit);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--limit must be like 50%, 200m, or none: '" + limit + "'", e);
    }
  }

  private static Nodes nodes(Workspace workspace, Path out) throws IOException {
    Nodes made = new Nodes(workspace, out.resolve("nodes").toAbsolutePath());
    for (int i = 0; i < Nodes.COUNT; i++) {
      workspace.alsoRemove(made.folder(i).resolve("data"));
    }
    workspace.alsoClose(made);
    return made;
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    nodes = nodes(host.workspace(), host.out());
    readAhead.set(host.workspace(), host.out(), run);
    Corpus corpus =
        text.isGiven() ? text.spec() : new Corpus(List.of(), run.isQuick() ? QUICK_COPIES : COPIES);
    host.progress().note("Indexing");
    Queries pick = new Queries(run.seed());
    nodes.start();
    int[] documents = {0};
    ClusterIndex index = new ClusterIndex(nodes);
    index.build(
        corpus,
        line -> {
          documents[0]++;
          pick.show(line);
        },
        BASELINE,
        replicas);
    long[] bytes = index.bytes();
    long ownBytes = nodes.mostAnonymousBytes() + PROGRAM_BYTES;
    index.close();
    nodes.stop();
    nodes.checkLogs();
    String memory = limit(nodes, ownBytes, bytes);
    queries = pick.pick(QUERIES);
    ports = nodes.ports();
    List<Column> columns =
        Stream.concat(
                Stream.of(column(BASELINE), column(BASELINE).again()),
                directories.stream().distinct().map(ClusterWorkload::column))
            .toList();
    return new Plan(
        columns,
        List.of(BASELINE),
        List.of(),
        values.forks(),
        CLIENT,
        "Store types of OpenSearch " + Nodes.version() + readAhead.warning(),
        List.of(
            Numbers.text(
                "%s: %,d documents in 2 shards of one segment, each with %d copies on other nodes: %s"
                    + " in all. All types read the same files.",
                corpus.description(),
                documents[0],
                replicas,
                Numbers.bytes(LongStream.of(bytes).sum())),
            Numbers.text(
                "Three nodes on this machine, heap %s, %s, started anew for each measurement. The"
                    + " device reads ahead %s.",
                Nodes.HEAP, memory, readAhead.inForce()),
            note(
                Queries.kinds(),
                QUERIES + " each",
                columns.size(),
                pace() + ", shared by the kinds and by closed and open loop",
                threads,
                ", of " + COMPARED + " queries of each kind")),
        Map.of("memory", memory, "readAhead", readAhead.inForce()),
        List.of());
  }

  private static Column column(String type) {
    return new Column(type, type, Map.of());
  }

  /** Limits the nodes where that can be done, and says how. */
  private String limit(Nodes cluster, long ownBytes, long[] bytes) throws IOException {
    if (limit.equals(UNLIMITED)) {
      return "memory without limit";
    }
    try {
      Cgroups groups = Cgroups.find();
      long[] limits = LongStream.of(bytes).map(files -> ownBytes + pageBytes(files)).toArray();
      RunOptions.refuse(
          LongStream.of(limits).max().orElseThrow() > groups.leastLimitAbove(),
          "--limit is more than this process may use");
      cluster.limit(groups, limits);
      limited = true;
      return Numbers.text(
          "%s of memory for files, beside %s (%s)", limit, Numbers.bytes(ownBytes), groups);
    } catch (UsageException e) {
      String why = "memory without limit: " + e.getMessage();
      run.say(why);
      return why;
    }
  }

  @Override
  public Samples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    Nodes cluster = Objects.requireNonNull(nodes);
    if (limited) {
      // What is in the page cache already would be memory without limit.
      for (Path shard : cluster.shards()) {
        new IndexPages(shard).drop();
      }
    }
    cluster.start();
    ClusterIndex index = new ClusterIndex(cluster);
    index.open(column.variant());
    pids = cluster.pids();
    Samples found;
    try (ChildJvm client = host.start(this, plan.flags(), column, seed, List.of())) {
      found = result(client);
    }
    Long peak = cluster.peakBytes();
    index.close();
    cluster.stop();
    cluster.checkLogs();
    compare(column.label(), found.answers());
    if (rates.isEmpty()) {
      Map<String, Double> all = new LinkedHashMap<>();
      found.kinds().forEach((kind, samples) -> all.put(kind, samples.open().perSecond()));
      rates = all;
    }
    return new Samples(found.kinds(), Map.of(), peak);
  }

  private void compare(String label, Map<String, List<String>> answers) {
    expected = expected.isEmpty() ? answers : expected;
    String difference = difference(expected, answers);
    if (!difference.isEmpty()) {
      throw new RunFailedException("hits differ on " + label + ": " + difference);
    }
  }

  /** The first answer that is not as expected; empty if there is none. */
  static String difference(Map<String, List<String>> expected, Map<String, List<String>> found) {
    for (Map.Entry<String, List<String>> kind : expected.entrySet()) {
      List<String> answers = found.getOrDefault(kind.getKey(), List.of());
      for (int i = 0; i < kind.getValue().size(); i++) {
        String answer = i < answers.size() ? answers.get(i) : "none";
        if (!answer.equals(kind.getValue().get(i))) {
          return Numbers.text(
              "kind %s, query %d: expected %s (as on %s), found %s",
              kind.getKey(), i + 1, kind.getValue().get(i), BASELINE, answer);
        }
      }
    }
    return "";
  }

  @Override
  public Samples run(Column column, Fork fork) throws IOException {
    try (Rest rest = new Rest(ports)) {
      Map<String, List<String>> answers = new LinkedHashMap<>();
      for (Map.Entry<String, List<String>> kind : queries.entrySet()) {
        List<String> found = new ArrayList<>();
        for (String query : kind.getValue().subList(0, COMPARED)) {
          String path = Queries.PATH + "&track_total_hits=true";
          found.add(Queries.answer(rest.call("POST", path, query)));
        }
        answers.put(kind.getKey(), found);
      }
      double share = 1.0 / queries.size();
      for (Map.Entry<String, List<String>> kind : queries.entrySet()) {
        closed(rest, kind.getValue(), values.warmupSeconds() * share, fork.seed() - 1);
      }
      Map<String, Kind> kinds = new LinkedHashMap<>();
      for (Map.Entry<String, List<String>> kind : queries.entrySet()) {
        kinds.put(
            kind.getKey(),
            measured(rest, kind.getKey(), kind.getValue(), values.seconds() * share / 2, fork));
      }
      return new Samples(kinds, answers, null);
    }
  }

  private Kind measured(Rest rest, String kind, List<String> all, double seconds, Fork fork)
      throws IOException {
    ProcessReading before = Nodes.reading(pids);
    long begun = System.nanoTime();
    Recorded latencies = closed(rest, all, seconds, fork.seed());
    double took = (System.nanoTime() - begun) / NANOS;
    ProcessReading reads = Nodes.reading(pids).since(before);
    Double known = rate == null ? rates.get(kind) : rate;
    double perSecond = known == null ? latencies.count() / took / 2 : known;
    StepClock clock = new StepClock(perSecond, 0, seconds, all.size(), fork.seed());
    StepResult open;
    try (ExecutorService connections = Executors.newFixedThreadPool(CONNECTIONS)) {
      open =
          new OpenLoop(clock, connections, query -> rest.search(Queries.PATH, all.get(query)))
              .run(PATIENCE_SECONDS);
    }
    return new Kind(latencies, took, reads, open);
  }

  /** Asks queries at random, each client one after another. */
  private Recorded closed(Rest rest, List<String> all, double seconds, long seed)
      throws IOException {
    ConcurrentHistogram times = new ConcurrentHistogram(Recorded.DIGITS);
    long end = System.nanoTime() + (long) (seconds * NANOS);
    SplittableRandom seeds = new SplittableRandom(seed);
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        SplittableRandom random = seeds.split();
        running.add(
            clients.submit(
                () -> {
                  for (long now = System.nanoTime(); now < end; ) {
                    rest.search(Queries.PATH, all.get(random.nextInt(all.size())));
                    long then = System.nanoTime();
                    times.recordValue(then - now);
                    now = then;
                  }
                  return null;
                }));
      }
      for (Future<?> client : running) {
        client.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a search failed: " + e.getCause(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    return Recorded.of(times);
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    List<Figures<Samples>> all = new ArrayList<>();
    all.add(
        new Figures<>(
            "Queries per second",
            "In a closed loop: the median over clusters.",
            true,
            true,
            Queries.kinds().stream()
                .map(
                    kind ->
                        new Figure<Samples>(
                            kind, kind, "queries/s", Better.HIGHER, s -> s.kind(kind).rate()))
                .toList()));
    for (String kind : Queries.kinds()) {
      List<Figure<Samples>> figures = new ArrayList<>();
      figures.addAll(Recorded.figures(kind, List.of("p50", "p99"), s -> s.kind(kind).latencies()));
      for (Figure<Samples> open :
          Recorded.<Samples>figures(
              open(kind), List.of("p50", "p99"), s -> s.kind(kind).open().latency())) {
        String heading = "open " + open.heading();
        figures.add(new Figure<>(open.task(), heading, open.unit(), open.better(), open.value()));
      }
      figures.add(told(kind, "planned", "/s", k -> k.open().perSecond()));
      figures.add(told(kind, "answered", "/s", k -> k.open().answered() / k.open().seconds()));
      figures.add(told(kind, "faults", "a query", k -> k.share(Value.MAJOR_FAULTS, 1)));
      figures.add(told(kind, "read", "KiB a query", k -> k.share(Value.READ_BYTES, KIBIBYTE)));
      all.add(Figures.everywhere(kind, MEANING, figures));
    }
    all.add(
        Figures.everywhere(
            "Memory",
            "The most memory of a node's group, page cache included.",
            List.of(
                Figure.told(
                    "peak memory",
                    "MiB",
                    s ->
                        s.peakBytes() == null ? null : Double.valueOf(s.peakBytes() / MEBIBYTE)))));
    return all;
  }

  private static String open(String kind) {
    return kind + " open";
  }

  private interface Told {
    @Nullable Double of(Kind kind);
  }

  private static Figure<Samples> told(String kind, String name, String unit, Told value) {
    return new Figure<>(kind + " " + name, name, unit, Better.NEITHER, s -> value.of(s.kind(kind)));
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<Samples>> samples) {
    List<Results.Latencies> latencies = new ArrayList<>();
    List<String> hints = new ArrayList<>();
    for (String kind : Queries.kinds()) {
      latencies.addAll(
          Recorded.latencies(name(), open(kind), samples, s -> s.kind(kind).open().latency()));
      samples.forEach(
          (label, clusters) -> {
            if (clusters.stream().anyMatch(s -> !s.kind(kind).open().keptRate())) {
              hints.add(label + " did not keep the rate of " + kind + ".");
            }
          });
    }
    return results.withLatencies(latencies).noting(hints);
  }
}
