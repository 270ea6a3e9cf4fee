// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import io.github.lucenedirectories.benchmarks.harness.MillisConverter;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.load.CapacitySearch;
import io.github.lucenedirectories.benchmarks.load.LoadClient;
import io.github.lucenedirectories.benchmarks.load.StepClock.StepResult;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.QueryPicker;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code load}: requests over a network at planned times, to every directory. */
@Command(
    name = "load",
    description =
        "Send queries to a server at random times, whether or not it keeps up, while it updates and"
            + " reopens its index: latencies at each rate, and the highest rate that it holds.",
    footer = {
      "",
      "By default RamDirectory and HybridDirectory are compared with MMapDirectory.",
      "",
      "Server and client are JVMs of their own. By default the rate doubles until the server falls"
          + " behind, and is then narrowed down. Half of what the first server held in the better"
          + " of two searches is the rate at which the latencies of all columns are compared."
          + " --seconds is the time at each rate, twice as long at the rate in common.",
      "",
      "On two machines: --serve PORT --bind ADDRESS --directories NAME on one, --connect HOST:PORT"
          + " on the other. The server then has the options of the index, and the client those of"
          + " the requests."
    })
public final class LoadWorkload extends Workload<LoadWorkload.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 10, 5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 3, 2);
  private static final int QUERIES = 50;
  private static final int QUICK_QUERIES = 20;
  private static final int UPDATES = 100;

  /* The moments of a step are held in memory. */
  private static final int MOST_REQUESTS = 5_000_000;

  /* Enough that updates hardly repeat within a merge, and little on the server's heap. */
  private static final int MOST_LINES = 2_000;
  private static final int MOST_PORT = 65_535;
  private static final String LOOPBACK = "127.0.0.1";
  private static final JvmFlags CLIENT = new JvmFlags(512, Collector.SERIAL);

  /* Settings of a column. The last one is that of its client. */
  private static final String COLLECTOR = "gc";
  private static final String HEAP = "heap";
  private static final String SERVER = "server";

  @Mixin private transient IndexOptions index = new IndexOptions();

  @Mixin private transient TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--serve",
      paramLabel = "PORT",
      description = "only serve one directory, at this port (0: any), until Ctrl-C")
  @Nullable Integer serve;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "the address that --serve listens at (default: ${DEFAULT-VALUE}, which no other machine"
              + " reaches); requests are neither encrypted nor authenticated",
      defaultValue = LOOPBACK)
  String bind = LOOPBACK;

  @Option(
      names = "--connect",
      paramLabel = "HOST:PORT",
      description = "only send requests, to a server that --serve started")
  private @Nullable String connect;

  @Mixin private transient DirectoryOptions directories = new DirectoryOptions();

  @Option(
      names = "--gc",
      split = ",",
      paramLabel = "NAME",
      description =
          "the server's garbage collectors: G1, ZGC, Parallel, Shenandoah, Serial (default: G1)")
  private List<Collector> collectors = List.of(Collector.G1);

  @Option(
      names = "--heap",
      split = ",",
      paramLabel = "BYTES",
      description = "the server's heaps, such as 512m,2g (default: 1g)",
      converter = ByteCount.class)
  private List<Long> heaps = List.of(1L << 30);

  @Option(names = "--threads", paramLabel = "N", description = "threads that search (default: 2)")
  int threads = 2;

  @Option(
      names = "--updates",
      paramLabel = "N",
      description =
          "documents updated per second; 0 for an index that stays as it is (default: 100, with"
              + " --index 0)")
  private @Nullable Integer updates;

  @Option(names = "--reopen-millis", paramLabel = "MS", description = "between two; default: 1000")
  int reopenMillis = 1000;

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description = "requests per second to measure (default: search for the capacity)")
  List<Double> rates = List.of();

  @Option(
      names = "--sla",
      paramLabel = "TIME",
      description = "the limit of p99 (default: ${DEFAULT-VALUE})",
      defaultValue = "100ms",
      converter = MillisConverter.class)
  double limitMillis = 100;

  Prepared prepared = Prepared.NONE;

  /* To update with; null for an index that stays as it is. */
  @Nullable PreparedText lines;

  /* On the server, for a reader of the results. */
  List<String> notes = List.of();

  /* Places of the grid of rates between one that is held and one that is not. */
  int finest = 1;

  /* The place in that grid of the rate in common; null while it is not known. */
  @Nullable Integer common;

  /** What a server tells its clients, its machine and software included. */
  record Welcome(
      String label,
      List<String> notes,
      int queries,
      int updatesPerSecond,
      Map<String, Object> environment) {}

  /**
   * What a server saw of a client's session.
   *
   * @param spans between the client's marks: each step, and the time after it
   * @param heapBytes left by full collections after the load
   * @param seconds from the first mark to the end
   * @param failure of the first query that failed, or of updates or reopens; null for none
   */
  record Summary(
      List<Span> spans,
      long heapBytes,
      double seconds,
      Recorded lag,
      Recorded reopen,
      int segments,
      @Nullable String failure) {}

  /**
   * What a client found.
   *
   * @param updatesPerSecond that the server was asked for
   * @param steps all, in order, the warm-up first
   * @param capacity the highest rate that was held; null if there was none
   * @param common the place in the rate grid of the rate in common; null if the rates were given
   * @param server null from a server itself: its client has the summary
   */
  record Samples(
      int updatesPerSecond,
      List<StepResult> steps,
      @Nullable Double capacity,
      @Nullable Integer common,
      @Nullable Summary server) {

    Summary summary() {
      return Objects.requireNonNull(server);
    }

    /** The last step at a rate, when the server was warmest; null if only the warm-up had it. */
    @Nullable StepResult step(double rate) {
      Stream<StepResult> found = steps.stream().skip(1).filter(s -> s.perSecond() == rate);
      return found.reduce((step, later) -> later).orElse(null);
    }

    /** What went on in the server during that step; null if there is none. */
    @Nullable Span span(double rate) {
      StepResult step = step(rate);
      return step == null ? null : summary().spans().get(2 * steps.lastIndexOf(step));
    }
  }

  @Override
  public void check() throws IOException {
    RunOptions.refuse(
        serve != null && connect != null,
        "--serve and --connect are for two processes: give one of them");
    RunOptions.refuse(serve == null && !bind.equals(LOOPBACK), "--bind needs --serve");
    RunOptions.refuse(
        serve != null && (serve < 0 || serve > MOST_PORT),
        "--serve must be a port from 0 to 65535: " + serve);
    RunOptions.refuse(
        serve != null && (names().size() != 1 || collectors.size() != 1 || heaps.size() != 1),
        "--serve needs one directory, collector and heap: give --directories NAME and at most one"
            + " of --gc and of --heap");
    if (connect != null) {
      address(connect);
    }
    RunOptions.Defaults times = run.values(FULL, QUICK);
    RunOptions.positive("--warmup", times.warmupSeconds());
    double longest = Math.max(times.seconds(), times.warmupSeconds());
    for (double rate : rates) {
      RunOptions.positive("--rates", rate);
      RunOptions.refuse(
          rate * longest > MOST_REQUESTS,
          Numbers.text(
              "--rates times --seconds, or --warmup, must be at most %,d requests: %,.0f for %,.0f"
                  + " s",
              MOST_REQUESTS, rate, longest));
    }
    index.check();
    tasks.check();
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    RunOptions.refuse(updates() < 0, "--updates must not be negative: " + updates);
    RunOptions.refuse(
        updates() > 0 && index.source().index() != null,
        "--index names an index whose documents are not known: give --updates 0");
    columns();
  }

  int updates() {
    return updates != null ? updates : index.source().index() == null ? UPDATES : 0;
  }

  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon > 0 && port > 0 && port <= MOST_PORT) {
        return InetSocketAddress.createUnresolved(text.substring(0, colon), port);
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw new UsageException("--connect must be HOST:PORT: " + text);
  }

  @Override
  public Plan plan(Host host) throws IOException {
    values = run.values(FULL, QUICK);
    rates = rates.stream().distinct().toList();
    finest = run.isQuick() ? 2 : 1;
    if (connect != null) {
      return connected(connect, host.out());
    }
    IndexSource given = index.source();
    Path chosen = host.workspace().file("queries.tasks");
    prepared =
        new Preparation(
                new IndexSource(given.index(), given.text(), false, given.field()),
                tasks,
                List.of(QueryPicker.HARDEST),
                host.out())
            .run(
                host.workspace(),
                tasks.queries(run.isQuick() ? QUICK_QUERIES : QUERIES),
                run.seed(),
                chosen);
    updates = updates();
    lines = updates == 0 ? null : PreparedText.prepare(host.workspace(), given.text(), MOST_LINES);
    notes =
        List.of(
            prepared.summary() + ". Each directory begins with a copy of it.",
            Numbers.text(
                "Queries of %s, answered by %d threads; %s.",
                String.join(", ", prepared.kinds()),
                threads,
                updates == 0
                    ? "no updates"
                    : Numbers.text(
                        "%,d updates per second, a reopen every %,d ms", updates, reopenMillis)));
    List<Column> columns = columns();
    if (serve != null) {
      // MMapDirectory itself has a control after it.
      String named = columns.getLast().variant();
      serveUntilEnded(
          host, columns.stream().filter(c -> c.variant().equals(named)).findFirst().orElseThrow());
    }
    return plan(
        columns,
        flags(columns.get(0)),
        columns.stream()
            .map(Column::label)
            .filter(l -> columns.stream().anyMatch(c -> c.label().equals(Results.controlOf(l))))
            .toList(),
        Map.of("queries", Files.readAllLines(chosen)));
  }

  private void serveUntilEnded(Host host, Column column) throws IOException {
    try (ChildJvm child = host.start(this, flags(column), column, run.seed(), List.of())) {
      int port = child.await(LoadSession.LISTENING, Integer.class);
      host.progress().note("Serving");
      run.out()
          .println(
              Numbers.text(
                  "Serving %s at %s:%d (process %d). End with Ctrl-C.",
                  column.label(), bind, port, child.pid()));
      run.out().flush();
      child.finish();
      throw new RunFailedException("the server has ended");
    }
  }

  private Plan connected(String server, Path out) throws IOException {
    Welcome welcome;
    try (LoadClient client = new LoadClient(address(server))) {
      welcome = LoadSession.JSON.readValue(client.welcome(), Welcome.class);
    }
    Map<String, Object> facts = new LinkedHashMap<>(welcome.environment());
    facts.put("client", Environment.describe(out, CLIENT.flags()));
    notes = new ArrayList<>(welcome.notes());
    notes.add("One server answered all clients, so intervals say nothing of other servers.");
    Column column = new Column(welcome.label(), "", Map.of(SERVER, server));
    return plan(List.of(column), CLIENT, List.of(column.label()), facts);
  }

  private Plan plan(
      List<Column> columns, JvmFlags flags, List<String> references, Map<String, Object> facts) {
    String pace =
        Numbers.text(
                "%.1f s of warm-up are dropped, then each step takes %.1f s. Requests come at"
                    + " Poisson times. A rate is held if p99 is within %s ms. ",
                values.warmupSeconds(), values.seconds(), Numbers.rate(limitMillis))
            + (rates.isEmpty()
                ? "The rate in common is half of what the first server held in the better of two"
                    + " searches, for twice that time."
                : "The rates were given.");
    return new Plan(
        columns,
        references,
        List.of(),
        values.forks(),
        flags,
        "Lucene directories under load",
        Stream.concat(notes.stream(), Stream.of(pace)).toList(),
        facts,
        prepared.skipped());
  }

  private List<String> names() {
    return directories.names(List.of("RamDirectory", "HybridDirectory"), Use.WRITE);
  }

  /** For each collector and heap the baseline, its control, and each directory once. */
  private List<Column> columns() {
    List<Column> grid = new ArrayList<>();
    boolean isGrid = collectors.size() * heaps.size() > 1;
    for (Collector collector : collectors.stream().distinct().toList()) {
      for (long bytes : heaps.stream().distinct().toList()) {
        long megabytes = bytes >> 20;
        if (megabytes == 0) {
          throw new UsageException("--heap must be at least 1m: " + bytes);
        }
        String where = isGrid ? Numbers.text(" %s %dm", collector.label(), megabytes) : "";
        for (Column column : Column.compared(Variants.BASELINE, names(), Use.WRITE)) {
          String name = column.variant() + where;
          String label = column.label().equals(column.variant()) ? name : Results.controlOf(name);
          grid.add(
              column
                  .with(label, COLLECTOR, collector.name())
                  .with(label, HEAP, String.valueOf(megabytes)));
        }
      }
    }
    return grid;
  }

  static JvmFlags flags(Column column) {
    return new JvmFlags(
        Long.parseLong(Objects.requireNonNull(column.settings().get(HEAP))),
        Collector.valueOf(Objects.requireNonNull(column.settings().get(COLLECTOR))));
  }

  @Override
  public Samples measure(Host host, Plan plan, Column column, long seed) throws IOException {
    Samples found = connect == null ? served(host, column, seed) : asked(host, column, seed);
    String failure = found.summary().failure();
    if (failure != null) {
      throw new RunFailedException("the server of " + column.label() + " failed: " + failure);
    }
    common = common == null ? found.common() : common;
    return found;
  }

  private Samples served(Host host, Column column, long seed) throws IOException {
    try (ChildJvm server = host.start(this, flags(column), column, seed, List.of())) {
      int port = server.await(LoadSession.LISTENING, Integer.class);
      try {
        Samples found =
            asked(host, column.with(column.label(), SERVER, LOOPBACK + ":" + port), seed);
        server.finish();
        return found;
      } catch (RunFailedException e) {
        if (server.hasEnded()) {
          // What it wrote says more than that its connection broke.
          server.finish();
        }
        throw e;
      }
    }
  }

  private Samples asked(Host host, Column column, long seed) throws IOException {
    try (ChildJvm child = host.start(this, CLIENT, column, seed, List.of())) {
      return result(child);
    }
  }

  /** A client if the column has a server, else a server. */
  @Override
  public Samples run(Column column, Fork fork) throws IOException {
    String server = column.settings().get(SERVER);
    if (server == null) {
      LoadSession.serve(this, column, fork);
      return new Samples(updates(), List.of(), null, null, null);
    }
    try (LoadClient client = new LoadClient(address(server))) {
      return new LoadRun(this, fork.seed(), client).run();
    }
  }

  private List<Double> commonRates() {
    return common == null ? rates : List.of(CapacitySearch.rate(common));
  }

  @Override
  public List<Figures<Samples>> figures(Plan plan) {
    return LoadFigures.of(commonRates());
  }

  @Override
  public Results complete(Results results, Plan plan, Map<String, List<Samples>> samples) {
    return LoadFigures.complete(results, commonRates(), limitMillis, samples);
  }
}
