package io.github.lucenedirectories.benchmarks.workload;

import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.Column;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.Harness;
import io.github.lucenedirectories.benchmarks.harness.Host;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags.Collector;
import io.github.lucenedirectories.benchmarks.harness.MillisConverter;
import io.github.lucenedirectories.benchmarks.harness.Plan;
import io.github.lucenedirectories.benchmarks.harness.ProcessFigures;
import io.github.lucenedirectories.benchmarks.harness.ProcessMetrics.Span;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workload;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.load.LoadClient;
import io.github.lucenedirectories.benchmarks.load.LoadServer;
import io.github.lucenedirectories.benchmarks.load.RateGrid;
import io.github.lucenedirectories.benchmarks.load.StepResult;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.results.Better;
import io.github.lucenedirectories.benchmarks.results.Figures;
import io.github.lucenedirectories.benchmarks.results.Figures.Figure;
import io.github.lucenedirectories.benchmarks.results.Figures.Shown;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.QueryPicker;
import io.github.lucenedirectories.variants.Sizes;
import io.github.lucenedirectories.variants.Variant;
import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code load}: requests over a network at planned times, to every directory. */
@Command(
    name = "load",
    description =
        "Send queries to a server at random times, whether or not it keeps up, while it updates and"
            + " reopens its index: latencies at each rate, and the highest rate that it holds.",
    footer = {
      "",
      "Server and client are JVMs of their own. By default the rate doubles until the server falls"
          + " behind, and is then narrowed down. Half of what the first server held in the better of"
          + " two searches is the rate at which the latencies of all columns are compared. --seconds"
          + " is the time at each rate, twice as long at the rate in common.",
      "",
      "On two machines: --serve PORT --bind ADDRESS --directories NAME on one, --connect HOST:PORT"
          + " on the other."
    })
public final class LoadWorkload extends Workload<LoadWorkload.Input, LoadWorkload.Samples> {
  private static final RunOptions.Defaults FULL = new RunOptions.Defaults(5, 10, 5);
  private static final RunOptions.Defaults QUICK = new RunOptions.Defaults(2, 3, 2);
  private static final int QUERIES = 50;
  private static final int QUICK_QUERIES = 20;
  private static final int UPDATES = 100;
  private static final double MOST_RATE = 200_000;

  /* The moments of a step are held in memory. */
  private static final int MOST_REQUESTS = 5_000_000;

  /* Enough that updates hardly repeat within a merge, and little on the server's heap. */
  private static final int MOST_LINES = 2_000;
  private static final int MOST_PORT = 65_535;
  private static final int MEBIBYTE_SHIFT = 20;
  private static final double MEBIBYTE = 1 << MEBIBYTE_SHIFT;
  private static final double MILLIS = 1e3;
  private static final double PERCENT = 100;
  private static final double KEPT = 0.99;

  /* Of fewer requests the highest percentile is the longest. */
  private static final int FEW = 10_000;
  private static final String LOOPBACK = "127.0.0.1";
  private static final JvmFlags CLIENT = new JvmFlags(512, Collector.SERIAL);

  /* Settings of a column. The last two are those of its client. */
  private static final String COLLECTOR = "gc";
  private static final String HEAP = "heap";
  private static final String SERVER = "server";
  private static final String COMMON = "common";

  private static final String LISTENING = "listening";
  private static final String BEGUN = "begun";

  /* What only a client takes, and all that it takes. */
  private static final Set<String> PACE =
      Set.of("--rates", "--sla", "--seconds", "--warmup", "--forks", "--freeze", "--resume");
  private static final Set<String> CLIENT_OPTIONS =
      Set.of(
          "--connect",
          "--rates",
          "--sla",
          "--seconds",
          "--warmup",
          "--forks",
          "--quick",
          "--seed",
          "--out");

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--serve",
      paramLabel = "PORT",
      description = "only serve one directory, at this port (0: any), until Ctrl-C")
  private @Nullable Integer serve;

  @Option(
      names = "--bind",
      paramLabel = "ADDRESS",
      description =
          "the address that --serve listens at (default: 127.0.0.1, which no other machine"
              + " reaches); requests are neither encrypted nor authenticated")
  private @Nullable String bind;

  @Option(
      names = "--connect",
      paramLabel = "HOST:PORT",
      description = "only send requests, to a server that --serve started")
  private @Nullable String connect;

  @Option(
      names = "--directories",
      split = Variants.SEPARATOR,
      splitSynopsisLabel = ",",
      paramLabel = "NAME",
      description =
          "to compare with MMapDirectory (default: RamDirectory,HybridDirectory); as those of nrt")
  private List<String> directories = List.of("RamDirectory", "HybridDirectory");

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

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "threads that search (default: ${DEFAULT-VALUE})",
      defaultValue = "2")
  private int threads = 2;

  @Option(
      names = "--updates",
      paramLabel = "N",
      description =
          "documents updated per second; 0 for an index that stays as it is (default: 100, with"
              + " --index 0)")
  private @Nullable Integer updates;

  @Option(
      names = "--reopen-millis",
      paramLabel = "MS",
      description = "from one reopen to the next (default: ${DEFAULT-VALUE})",
      defaultValue = "1000")
  private int reopenMillis = 1000;

  @Option(
      names = "--rates",
      split = ",",
      paramLabel = "N",
      description = "requests per second to measure (default: search for the capacity)")
  private List<Double> rates = List.of();

  @Option(
      names = "--sla",
      paramLabel = "TIME",
      description = "the limit of p99 (default: ${DEFAULT-VALUE})",
      defaultValue = "100ms",
      converter = MillisConverter.class)
  private double limitMillis = 100;

  @Option(
      names = "--freeze",
      paramLabel = "S",
      description =
          "stop the server's process for S seconds in the middle of each step, to see that the"
              + " client keeps its rate; only with --rates")
  private @Nullable Double freezeSeconds;

  @Option(
      names = "--resume",
      description = "go on with a run that was interrupted: keep the forks that --out has")
  private boolean resume;

  @Spec private @Nullable CommandSpec spec;

  private @Nullable LoadCells cells;
  private @Nullable Integer common;

  /**
   * What a server does, and how its client asks.
   *
   * @param index the path of the index that a server begins with a copy of
   * @param source what the index is, in a line
   * @param field the text field
   * @param text the path of a file of documents to update with; null without updates
   * @param tasks the path of a file of queries that can all run
   * @param bind the address to listen at
   * @param port 0 for any
   * @param once whether a server ends with its first client
   */
  record Input(
      String index,
      String source,
      int documents,
      String field,
      @Nullable String text,
      String tasks,
      Live live,
      Pace pace,
      String bind,
      int port,
      boolean once) {}

  /**
   * What goes on in a server.
   *
   * @param threads that search
   * @param updatesPerSecond documents by random key; 0 for an index that stays as it is
   */
  record Live(int threads, int updatesPerSecond, int reopenMillis) {}

  /**
   * How requests come.
   *
   * @param rates to measure; empty to search for the capacity
   * @param limitMillis of the 99th percentile, up to which a rate counts as held
   * @param warmupSeconds dropped
   * @param commonSeconds of the step at the rate in common
   * @param finest places of the rate grid between a rate that is held and one that is not
   * @param freezeSeconds for which the server is stopped in each step; 0 for not at all
   */
  record Pace(
      List<Double> rates,
      double limitMillis,
      double warmupSeconds,
      double stepSeconds,
      double commonSeconds,
      int finest,
      double freezeSeconds) {}

  /**
   * What a server tells its clients.
   *
   * @param label of its column
   * @param summary of the index
   * @param queries how many there are
   * @param environment the server's machine and software
   */
  record Welcome(
      String label,
      String summary,
      int queries,
      List<String> kinds,
      Live live,
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
   * @param steps all, in order, the warm-up first
   * @param capacity the highest rate that was held; null if there was none
   * @param common the place in the rate grid of the rate in common; null if the rates were given
   */
  record Samples(
      Welcome welcome,
      List<StepResult> steps,
      @Nullable Double capacity,
      @Nullable Integer common,
      Summary server) {

    /**
     * The number of the last step at a rate, when the server was warmest; null if there is none.
     */
    private @Nullable Integer at(double rate) {
      for (int i = steps.size() - 1; i > 0; i--) {
        if (steps.get(i).perSecond() == rate) {
          return i;
        }
      }
      return null;
    }

    @Nullable StepResult step(double rate) {
      Integer number = at(rate);
      return number == null ? null : steps.get(number);
    }

    @Nullable Span span(double rate) {
      Integer number = at(rate);
      return number == null ? null : server.spans().get(2 * number);
    }

    /** The share of the updates asked for that were done. */
    double updatesKept() {
      int asked = welcome.live().updatesPerSecond();
      return asked == 0 ? 1 : server.lag().count() / server.seconds() / asked;
    }
  }

  @Override
  public Integer call() throws IOException {
    checkPlace();
    if (serve == null) {
      return super.call();
    }
    Path out = Files.createDirectories(run.out(name()));
    Path scratch = out.resolve("." + name() + "-" + ProcessHandle.current().pid());
    try (Workspace workspace = workspace()) {
      workspace.alsoRemove(scratch.toAbsolutePath());
      Plan<Input> plan;
      Host host;
      try (Progress progress = Progress.create()) {
        progress.note("Preparing");
        host = new Host(workspace, run, out, scratch.toAbsolutePath(), progress);
        plan = plan(host);
      }
      String name = Column.find(directories.get(0), Use.WRITE).name();
      Column column =
          plan.columns().stream().filter(c -> c.variant().equals(name)).findFirst().orElseThrow();
      try (ChildJvm child = host.start(this, plan, flags(column), column, run.seed(), List.of())) {
        int port = child.await(LISTENING, Integer.class);
        var writer = Objects.requireNonNull(spec).commandLine().getOut();
        writer.printf(
            Locale.ROOT,
            "Serving %s at %s:%d (process %d). End with Ctrl-C.%n",
            column.label(),
            plan.input().bind(),
            port,
            child.pid());
        writer.flush();
        child.finish();
      }
    }
    return 0;
  }

  /** Refuses options that mean nothing to a client or a server alone. */
  private void checkPlace() {
    if (serve != null && connect != null) {
      throw new UsageException("--serve and --connect are for two processes: give one of them");
    }
    if (bind != null && serve == null) {
      throw new UsageException("--bind needs --serve");
    }
    if (serve != null && (serve < 0 || serve > MOST_PORT)) {
      throw new UsageException("--serve must be a port from 0 to 65535: " + serve);
    }
    for (OptionSpec option :
        Objects.requireNonNull(spec).commandLine().getParseResult().matchedOptions()) {
      String name = option.longestName();
      if (serve != null && PACE.contains(name)) {
        throw new UsageException(name + " is the client's: leave it out with --serve");
      }
      if (connect != null && !CLIENT_OPTIONS.contains(name)) {
        throw new UsageException(name + " is the server's: leave it out with --connect");
      }
    }
    if (serve != null && (directories.size() != 1 || collectors.size() != 1 || heaps.size() != 1)) {
      throw new UsageException(
          "--serve needs one directory, collector and heap: give --directories NAME and at most one"
              + " of --gc and of --heap");
    }
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
  public Plan<Input> plan(Host host) throws IOException {
    RunOptions.Defaults values = run.values(FULL, QUICK);
    Pace pace = pace(values);
    if (connect != null) {
      return connected(connect, pace, values.forks(), host.out());
    }
    index.check();
    tasks.check();
    IndexSource given = index.source();
    Live live = live(given.index() != null);
    List<Column> columns = columns();
    Path chosen = host.workspace().file("queries.tasks");
    Prepared prepared =
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
    String text =
        live.updatesPerSecond() == 0
            ? null
            : PreparedText.prepare(host.workspace(), given.text(), MOST_LINES).file();
    Input input =
        new Input(
            prepared.index(),
            prepared.summary(),
            prepared.documents(),
            given.field(),
            text,
            chosen.toString(),
            live,
            pace,
            bind == null ? LOOPBACK : bind,
            serve == null ? 0 : serve,
            serve == null);
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("index", prepared);
    facts.put("queries", Files.readAllLines(chosen));
    if (serve == null) {
      cells = new LoadCells(host.out(), settings(host, input, columns, facts), resume);
    }
    return plan(
        input,
        columns,
        values.forks(),
        notes(prepared.summary(), prepared.kinds(), live),
        facts,
        prepared.skipped());
  }

  /** All that decides what is measured. Another day is not another measurement. */
  private Map<String, Object> settings(
      Host host, Input input, List<Column> columns, Map<String, Object> facts) {
    Map<String, Object> settings = Environment.describe(host.out(), flags(columns.get(0)).flags());
    settings.remove("date");
    settings.remove("command");
    settings.putAll(facts);
    settings.put("seed", run.seed());
    settings.put("live", input.live());
    settings.put("pace", input.pace());
    settings.put("columns", columns);
    return settings;
  }

  private Plan<Input> connected(String server, Pace pace, int forks, Path out) throws IOException {
    Welcome welcome;
    try (LoadClient client = new LoadClient(address(server))) {
      welcome = LoadCells.JSON.readValue(client.welcome(), Welcome.class);
    }
    Map<String, Object> facts = new LinkedHashMap<>(welcome.environment());
    facts.put("client", Environment.describe(out, CLIENT.flags()));
    Column column = new Column(welcome.label(), "", Map.of(SERVER, server));
    Input input = new Input("", "", 0, "", null, "", welcome.live(), pace, "", 0, true);
    List<String> notes = new ArrayList<>(notes(welcome.summary(), welcome.kinds(), welcome.live()));
    notes.add("One server answered all clients, so intervals say nothing of other servers.");
    return plan(input, List.of(column), forks, notes, facts, List.of());
  }

  private Plan<Input> plan(
      Input input,
      List<Column> columns,
      int forks,
      List<String> notes,
      Map<String, Object> facts,
      List<Results.Skipped> skipped) {
    List<String> baselines =
        columns.stream()
            .map(Column::label)
            .filter(label -> columns.stream().anyMatch(c -> c.label().equals(again(label))))
            .toList();
    return new Plan<>(
        input,
        columns,
        baselines.isEmpty() ? List.of(columns.get(0).label()) : baselines,
        List.of(),
        forks,
        connect == null ? flags(columns.get(0)) : CLIENT,
        new Plan.Page(
            "Lucene directories under load",
            Stream.concat(notes.stream(), Stream.of(note(input.pace()))).toList(),
            facts,
            skipped));
  }

  private static String again(String label) {
    return Column.controlOf(label);
  }

  private static List<String> notes(String summary, List<String> kinds, Live live) {
    return List.of(
        summary + ". Each directory begins with a copy of it.",
        String.format(
            Locale.ROOT,
            "Queries of %s, answered by %d threads; %s.",
            String.join(", ", kinds),
            live.threads(),
            live.updatesPerSecond() == 0
                ? "no updates"
                : String.format(
                    Locale.ROOT,
                    "%,d updates per second, a reopen every %,d ms",
                    live.updatesPerSecond(),
                    live.reopenMillis())));
  }

  private static String note(Pace pace) {
    return String.format(
        Locale.ROOT,
        "%.1f s of warm-up are dropped, then each step takes %.1f s%s. Requests come at Poisson"
            + " times. A rate is held if p99 is within %s ms. %s",
        pace.warmupSeconds(),
        pace.stepSeconds(),
        pace.freezeSeconds() > 0
            ? String.format(
                Locale.ROOT,
                ", with the server stopped for %.1f s in the middle",
                pace.freezeSeconds())
            : "",
        Numbers.rate(pace.limitMillis()),
        pace.rates().isEmpty()
            ? String.format(
                Locale.ROOT,
                "The rate in common is half of what the first server held in the better of two"
                    + " searches, for %.1f s.",
                pace.commonSeconds())
            : "The rates were given.");
  }

  private Live live(boolean isIndexGiven) {
    int perSecond = updates != null ? updates : isIndexGiven ? 0 : UPDATES;
    if (perSecond < 0) {
      throw new UsageException("--updates must not be negative: " + perSecond);
    }
    if (isIndexGiven && perSecond > 0) {
      throw new UsageException(
          "--index names an index whose documents are not known: give --updates 0");
    }
    RunOptions.positive("--threads", threads);
    RunOptions.positive("--reopen-millis", reopenMillis);
    return new Live(threads, perSecond, reopenMillis);
  }

  private Pace pace(RunOptions.Defaults values) {
    RunOptions.positive("--warmup", values.warmupSeconds());
    for (double rate : rates) {
      RunOptions.positive("--rates", rate);
      if (rate > MOST_RATE) {
        throw new UsageException("--rates must be at most " + MOST_RATE + ": " + rate);
      }
      double longest = Math.max(values.seconds(), values.warmupSeconds());
      if (rate * longest > MOST_REQUESTS) {
        throw new UsageException(
            String.format(
                Locale.ROOT,
                "--rates times --seconds, or --warmup, must be at most %,d requests: %,.0f for %,.0f"
                    + " s",
                MOST_REQUESTS,
                rate,
                longest));
      }
    }
    double freeze = freezeSeconds == null ? 0 : freezeSeconds;
    if (freezeSeconds != null) {
      RunOptions.positive("--freeze", freeze);
      if (rates.isEmpty()) {
        throw new UsageException("--freeze needs given rates: add --rates");
      }
      if (freeze > values.seconds() / 2) {
        throw new UsageException(
            "--freeze must be at most half of --seconds: " + freeze + " of " + values.seconds());
      }
    }
    return new Pace(
        rates.stream().distinct().toList(),
        limitMillis,
        values.warmupSeconds(),
        values.seconds(),
        2 * values.seconds(),
        run.isQuick() ? 2 : 1,
        freeze);
  }

  /** For each collector and heap the baseline, its control, and each directory once. */
  private List<Column> columns() {
    List<Column> grid = new ArrayList<>();
    for (Collector collector : collectors.stream().distinct().toList()) {
      for (long bytes : heaps.stream().distinct().toList()) {
        long megabytes = bytes >> MEBIBYTE_SHIFT;
        if (megabytes == 0) {
          throw new UsageException("--heap must be at least 1m: " + bytes);
        }
        String where =
            collectors.size() * heaps.size() == 1
                ? ""
                : String.format(Locale.ROOT, " %s %dm", collector.label(), megabytes);
        Column baseline = Column.of(Column.find(Variants.BASELINE, Use.WRITE));
        List<Column> compared = Column.compared(baseline, directories, Use.WRITE);
        for (Column column : compared) {
          boolean control = column.label().equals(again(baseline.label()));
          String label = column.variant() + where;
          grid.add(
              column
                  .with(control ? again(label) : label, COLLECTOR, collector.name())
                  .with(control ? again(label) : label, HEAP, String.valueOf(megabytes)));
        }
      }
    }
    return grid;
  }

  private static JvmFlags flags(Column column) {
    return new JvmFlags(
        Long.parseLong(Objects.requireNonNull(column.settings().get(HEAP))),
        Collector.valueOf(Objects.requireNonNull(column.settings().get(COLLECTOR))));
  }

  @Override
  public Samples measure(Host host, Plan<Input> plan, Column column, long seed) throws IOException {
    String name = (seed - run.seed()) + "-" + plan.columns().indexOf(column);
    Samples found = cells == null ? null : cells.find(name);
    if (found == null) {
      found =
          column.settings().containsKey(SERVER)
              ? measure(host, plan, column, seed, null)
              : served(host, plan, column, seed);
      String failure = found.server().failure();
      if (failure != null) {
        throw new RunFailedException("the server of " + column.label() + " failed: " + failure);
      }
      if (cells != null) {
        cells.keep(name, found);
      }
    }
    if (common == null) {
      common = found.common();
    }
    return found;
  }

  private Samples served(Host host, Plan<Input> plan, Column column, long seed) throws IOException {
    try (ChildJvm server = host.start(this, plan, flags(column), column, seed, List.of())) {
      int port = server.await(LISTENING, Integer.class);
      Column client = column.with(column.label(), SERVER, LOOPBACK + ":" + port);
      try {
        Samples found = measure(host, plan, client, seed, server);
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

  private Samples measure(
      Host host, Plan<Input> plan, Column column, long seed, @Nullable ChildJvm server)
      throws IOException {
    Column client =
        common == null ? column : column.with(column.label(), COMMON, String.valueOf(common));
    Pace pace = plan.input().pace();
    try (ChildJvm child = host.start(this, plan, CLIENT, client, seed, List.of())) {
      if (pace.freezeSeconds() > 0 && server != null) {
        for (int i = 0; i < pace.rates().size(); i++) {
          child.await(BEGUN, String.class);
          freeze(server.pid(), pace);
        }
      }
      Samples found = child.await(Harness.MEASURED, Samples.class);
      child.finish();
      return found;
    }
  }

  /** Stops a process by signals in the middle of a step that begins now. */
  private static void freeze(long pid, Pace pace) throws IOException {
    sleep((pace.stepSeconds() - pace.freezeSeconds()) / 2);
    signal("-STOP", pid);
    try {
      sleep(pace.freezeSeconds());
    } finally {
      signal("-CONT", pid);
    }
  }

  private static void signal(String signal, long pid) throws IOException {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
    try {
      if (!kill.waitFor(10, TimeUnit.SECONDS) || kill.exitValue() != 0) {
        throw new RunFailedException("cannot send the signal " + signal + " to the server");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static void sleep(double seconds) throws IOException {
    try {
      Thread.sleep((long) (seconds * MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** A client if the column has a server, else a server. */
  @Override
  public Samples run(Input input, Column column, Fork fork) throws IOException {
    String server = column.settings().get(SERVER);
    return server == null ? serve(input, column, fork) : ask(input, column, server, fork);
  }

  private static Samples ask(Input input, Column column, String server, Fork fork)
      throws IOException {
    try (LoadClient client = new LoadClient(address(server))) {
      Welcome welcome = LoadCells.JSON.readValue(client.welcome(), Welcome.class);
      client.begin();
      String known = column.settings().get(COMMON);
      LoadRun run =
          new LoadRun(
              input.pace(),
              known == null ? null : Integer.valueOf(known),
              fork.seed(),
              welcome.queries(),
              client,
              () -> fork.send(BEGUN, ""));
      run.run();
      Summary summary = LoadCells.JSON.readValue(client.finish(), Summary.class);
      return new Samples(welcome, run.steps(), run.capacity(), run.common(), summary);
    }
  }

  private static Samples serve(Input input, Column column, Fork fork) throws IOException {
    List<NamedTask> queries = NamedTask.read(Path.of(input.tasks()), input.field());
    String file = input.text();
    LoadedCorpus corpus = file == null ? null : LoadedCorpus.read(Path.of(file));
    Variant variant = Variants.named(column.variant(), Use.WRITE);
    Welcome welcome =
        new Welcome(
            column.label(),
            input.source(),
            queries.size(),
            queries.stream().map(task -> task.line().kind()).distinct().toList(),
            input.live(),
            Environment.describe(Path.of(input.index()), flags(column).flags()));
    try (Directory directory = variant.open(fork.folder(variant), Sizes.DEFAULT)) {
      LiveIndex.copy(Path.of(input.index()), directory);
      LoadServer.Service service =
          new LoadServer.Service() {
            @Override
            public String welcome() throws IOException {
              return LoadCells.JSON.writeValueAsString(welcome);
            }

            @Override
            public LoadServer.Session begin() throws IOException {
              return new LoadSession(input, queries, directory, corpus, fork.seed());
            }
          };
      InetSocketAddress address = new InetSocketAddress(input.bind(), input.port());
      try (LoadServer server = new LoadServer(address, input.live().threads(), service)) {
        fork.send(LISTENING, server.port());
        do {
          server.awaitFinish();
        } while (!input.once());
      } catch (BindException e) {
        throw new UsageException(
            "cannot listen at " + input.bind() + ":" + input.port() + ": " + e.getMessage(), e);
      }
    }
    // The client has the server's own summary.
    Recorded none = new Recorded(0, List.of(), "");
    return new Samples(
        welcome, List.of(), null, null, new Summary(List.of(), 0, 0, none, none, 0, null));
  }

  /** The rates that all columns have in common. */
  private List<Double> rates(Plan<Input> plan) {
    return common == null ? plan.input().pace().rates() : List.of(RateGrid.rate(common));
  }

  private static String label(double rate) {
    return Numbers.rate(rate) + "/s";
  }

  @Override
  public List<Figures<Samples>> figures(Plan<Input> plan) {
    List<Figures<Samples>> all = new ArrayList<>();
    all.add(
        group(
            "Capacity",
            "The highest rate of requests that the server held: p99 within the limit, and in the end"
                + " no more requests waiting than come in that time. Rates lie 4.4 percent apart (9"
                + " with --quick). A rate is refused after two tries.",
            Shown.EVERYWHERE,
            List.of(new Figure<>("capacity", "capacity", "/s", Better.HIGHER, Samples::capacity))));
    for (double rate : rates(plan)) {
      all.add(
          group(
              "Latency at " + label(rate),
              "From the planned moment of a request to the arrival of its answer at the client. The"
                  + " client never waits for the server: requests that were due during a stall count"
                  + " with all that they waited.",
              Shown.EVERYWHERE,
              Recorded.figures(
                  "latency at " + label(rate), Recorded.LABELS, s -> latency(s, rate))));
    }
    all.add(
        group(
            "Memory",
            "heap: left on the Java heap by full collections after the load. resident: all memory of"
                + " the server, mapped files included; anonymous: memory without a file behind it,"
                + " the heap included; mappings: lines of /proc/self/maps. These three at the end of"
                + " the last step.",
            Shown.EVERYWHERE,
            Stream.concat(
                    Stream.of(
                        new Figure<Samples>(
                            "heap after the load",
                            "heap",
                            "MiB",
                            Better.LOWER,
                            s -> s.server().heapBytes() / MEBIBYTE)),
                    ProcessFigures.<Samples>memory(
                        s -> s.server().spans().get(2 * (s.steps().size() - 1)).reading())
                        .stream())
                .toList()));
    for (double rate : rates(plan)) {
      all.add(
          group(
              "The server at " + label(rate),
              ProcessFigures.MEANING,
              Shown.PAGE,
              ProcessFigures.during(" at " + label(rate), s -> s.span(rate))));
    }
    all.add(
        group(
            "Updates and reopens",
            "Over the whole time of a fork, warm-up included. lag: from the planned moment of an"
                + " update until it is done; reopen: all that its thread does.",
            Shown.PAGE,
            List.of(
                new Figure<>(
                    "updates per second",
                    "updates",
                    "/s",
                    Better.NEITHER,
                    s -> s.server().lag().count() / s.server().seconds()),
                time("update lag p99", "lag p99", s -> s.server().lag(), "p99"),
                time("reopen p50", "reopen p50", s -> s.server().reopen(), "p50"),
                time("reopen p99", "reopen p99", s -> s.server().reopen(), "p99"),
                new Figure<>(
                    "segments",
                    "segments",
                    "in the end",
                    Better.NEITHER,
                    s -> (double) s.server().segments()))));
    for (double rate : rates(plan)) {
      all.add(
          group(
              "The client at " + label(rate),
              "late: how long after its planned moment the client handed a request over, which is"
                  + " part of the latency; sent: share of the planned requests that had a connection"
                  + " by the end of the step; held back: the most requests that waited for one of"
                  + " the client's connections at one time.",
              Shown.PAGE,
              List.of(
                  client(rate, "late p99", "ms", s -> s.late().millis("p99")),
                  client(rate, "sent", "%", s -> PERCENT * s.sent() / Math.max(1, s.planned())),
                  client(rate, "held back", "requests", s -> (double) s.heldBack()))));
    }
    return all;
  }

  private static Figures<Samples> group(
      String title, String meaning, Shown shown, List<Figure<Samples>> figures) {
    return new Figures<>(title, meaning, shown, false, figures);
  }

  private static @Nullable Recorded latency(Samples samples, double rate) {
    StepResult step = samples.step(rate);
    return step == null ? null : step.latency();
  }

  private static Figure<Samples> time(
      String task, String heading, Function<Samples, Recorded> times, String percentile) {
    return new Figure<>(
        task,
        heading,
        "ms",
        Better.LOWER,
        s -> {
          Recorded found = times.apply(s);
          return found.count() == 0 ? null : Double.valueOf(found.millis(percentile));
        });
  }

  private static Figure<Samples> client(
      double rate, String name, String unit, Function<StepResult, Double> value) {
    return new Figure<>(
        name + " at " + label(rate),
        name,
        unit,
        Better.NEITHER,
        s -> {
          StepResult step = s.step(rate);
          return step == null ? null : value.apply(step);
        });
  }

  @Override
  public Results complete(Results results, Plan<Input> plan, Map<String, List<Samples>> samples) {
    List<Results.Latencies> latencies = new ArrayList<>();
    for (double rate : rates(plan)) {
      latencies.addAll(
          Recorded.latencies(name(), "latency at " + label(rate), samples, s -> latency(s, rate)));
    }
    List<Results.Series> series = new ArrayList<>();
    for (String percentile : Recorded.LABELS) {
      samples.forEach(
          (label, forks) ->
              series.add(curve(label, forks, percentile, plan.input().pace().limitMillis())));
    }
    return results.withLatencies(latencies).withSeries(series).noting(hints(samples, rates(plan)));
  }

  /** A percentile by rate. Of several steps at a rate the last counts, when a server is warmest. */
  private Results.Series curve(String label, List<Samples> forks, String percentile, double limit) {
    TreeMap<Double, List<Double>> rates = new TreeMap<>();
    for (Samples fork : forks) {
      fork.steps().stream()
          .skip(1)
          .map(StepResult::perSecond)
          .distinct()
          .forEach(
              rate -> {
                Recorded found = latency(fork, rate);
                if (found != null && found.count() > 0) {
                  rates.computeIfAbsent(rate, r -> new ArrayList<>()).add(found.millis(percentile));
                }
              });
    }
    return new Results.Series(
        name(),
        label,
        "latency " + percentile,
        "requests/s",
        "ms",
        percentile.equals("p99") ? Double.valueOf(limit) : null,
        rates.entrySet().stream().map(e -> new Results.At(e.getKey(), e.getValue())).toList());
  }

  /** What a reader of the tables has to know of these samples. */
  private static List<String> hints(Map<String, List<Samples>> samples, List<Double> rates) {
    List<StepResult> steps =
        samples.values().stream()
            .flatMap(List::stream)
            .flatMap(fork -> rates.stream().map(fork::step))
            .filter(Objects::nonNull)
            .toList();
    long planned = steps.stream().mapToLong(StepResult::planned).sum();
    long sent = steps.stream().mapToLong(StepResult::sent).sum();
    List<String> hints = new ArrayList<>();
    hints.add(
        String.format(
            Locale.ROOT,
            "The client sent %,d of %,d requests in time (%.2f %%) at the rates in common, 99 %% of"
                + " them at most %.2f ms late. %,d were never answered.",
            sent,
            planned,
            PERCENT * sent / Math.max(1, planned),
            steps.stream().mapToDouble(s -> s.late().millis("p99")).max().orElse(0),
            steps.stream().mapToLong(StepResult::unanswered).sum()));
    int fewest = steps.stream().mapToInt(StepResult::requests).min().orElse(FEW);
    if (fewest < FEW) {
      hints.add(
          String.format(Locale.ROOT, "Of %,d requests in a step p99.99 is the longest.", fewest));
    }
    samples.forEach(
        (label, forks) -> {
          if (forks.stream().anyMatch(fork -> fork.capacity() == null)) {
            hints.add(label + ": there are forks that held no rate that was tried.");
          }
          double least = forks.stream().mapToDouble(Samples::updatesKept).min().orElse(1);
          if (least < KEPT) {
            hints.add(
                String.format(
                    Locale.ROOT,
                    "%s did not keep the rate of updates: %.0f %% of it.",
                    label,
                    least * PERCENT));
          }
        });
    return hints;
  }
}
