package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.Progress;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.IndexSource;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.PreparedText;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.presets.PresetOption;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.tasks.QueryPicker;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code load}: requests over a network at their own pace, on every directory. */
@Command(
    name = LoadCommand.NAME,
    preprocessor = PresetOption.class,
    description =
        "Send queries to a server at random times, whether or not it keeps up, while it updates and"
            + " reopens its index: latencies at each rate, and the highest rate that it holds.",
    footer = {
      "",
      "Each directory is searched in a server of its own, by default 5 of each, interleaved; its"
          + " client is another JVM. MMapDirectory is the baseline and runs twice, to show how far"
          + " two equal columns lie apart. By default the rate doubles until the server falls"
          + " behind, and is then narrowed down; half of what the first server held in the better of"
          + " two searches is the rate at which all columns' percentiles are compared. The queries"
          + " are those of the 50 words that most documents have, with --quick 20.",
      "",
      "What the figures mean. Capacity: " + LoadMeasures.CAPACITY_MEANING,
      "",
      "Latency: " + LoadMeasures.LATENCY_MEANING,
      "",
      "Memory: " + LoadMeasures.MEMORY_MEANING,
      "",
      "On two machines: --serve PORT --bind ADDRESS --directories NAME on one, --connect HOST:PORT"
          + " on the other.",
      "",
      "Presets: zing (RamDirectory, HybridDirectory and MMapDirectory under G1, hardest terms, 100"
          + " updates a second, a reopen each second; under 20 minutes)."
    },
    sortOptions = false)
public final class LoadCommand implements Callable<Integer> {
  static final String NAME = "load";

  private static final int QUERIES = 50;
  private static final int QUICK_QUERIES = 20;

  /* Enough that updates hardly repeat within a merge, and little on the server's heap. */
  private static final int MOST_LINES = 2_000;

  @Mixin
  @SuppressWarnings("unused") // it does its work before this command is run
  private PresetOption preset = new PresetOption();

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Mixin private PlaceOptions place = new PlaceOptions();

  @Mixin private LoadOptions load = new LoadOptions();

  @Spec private @Nullable CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    place.check(Objects.requireNonNull(spec).commandLine().getParseResult());
    index.check();
    tasks.check();
    Path out = load.out();
    if (place.isClient()) {
      LoadPlan.Pace pace = load.pace();
      InetSocketAddress server = place.server();
      int forks = load.plan(false).forks();
      Preparation.createFolder(out);
      connect(server, pace, forks, out);
    } else {
      LoadPlan plan = load.plan(index.source().index() != null);
      LoadColumn served = place.isServer() ? load.serverColumn() : null;
      Preparation.createFolder(out);
      Path scratch = out.resolve("." + NAME + "-" + ProcessHandle.current().pid());
      try (Workspace workspace = Workspace.create()) {
        workspace.alsoRemove(scratch.toAbsolutePath());
        ServerInput input;
        Map<LoadColumn, List<LoadCell>> samples = Map.of();
        try (Progress progress = Progress.create()) {
          input = prepare(workspace, plan, scratch.toAbsolutePath(), progress);
          if (served == null) {
            samples = measure(workspace, plan, input, progress);
          }
        }
        if (served == null) {
          report(plan, input, samples);
        } else {
          serve(workspace, plan, served, input);
        }
      }
    }
    return 0;
  }

  private ServerInput prepare(Workspace workspace, LoadPlan plan, Path scratch, Progress progress)
      throws IOException {
    progress.note("Preparing");
    IndexSource given = index.source();
    IndexSource source = new IndexSource(given.index(), given.text(), false, given.field());
    Path chosen = workspace.file("queries.tasks");
    Prepared prepared =
        new Preparation(source, tasks, List.of(QueryPicker.HARDEST), load.out())
            .run(
                workspace,
                tasks.queries(load.isQuick() ? QUICK_QUERIES : QUERIES),
                load.seed(),
                chosen);
    String text =
        plan.live().updatesPerSecond() == 0
            ? null
            : PreparedText.prepare(workspace, source.text(), MOST_LINES).file();
    return new ServerInput(prepared, source.field(), text, chosen.toString(), scratch);
  }

  private Map<LoadColumn, List<LoadCell>> measure(
      Workspace workspace, LoadPlan plan, ServerInput input, Progress progress) throws IOException {
    Map<String, Object> settings = environment(plan, input);
    // Another day is no other measurement.
    settings.remove("date");
    Cells cells = Cells.open(load.out(), settings, load.isResumed());
    return new Rounds<LoadColumn, LoadCell>(plan.columns(), LoadColumn::label, progress)
        .run(plan.forks(), plan.seed(), new LoadFork(workspace, plan, input, cells));
  }

  private void report(LoadPlan plan, ServerInput input, Map<LoadColumn, List<LoadCell>> samples)
      throws IOException {
    Map<String, Object> environment = environment(plan, input);
    environment.put("command", Main.commandLine());
    report(
        plan.pace(),
        false,
        LoadReport.byLabel(samples),
        LoadReport.baselines(plan.columns()),
        environment,
        input.prepared());
  }

  /** All that decides what is measured. */
  private Map<String, Object> environment(LoadPlan plan, ServerInput input) throws IOException {
    LoadColumn first = plan.columns().get(0);
    Map<String, Object> environment =
        Environment.describe(
            load.out(), new JvmFlags(first.heapMegabytes(), first.collector()).flags());
    environment.put("seed", plan.seed());
    environment.put("index", input.prepared());
    environment.put("queries", Files.readAllLines(Path.of(input.tasks())));
    environment.put("plan", plan);
    return environment;
  }

  private void report(
      LoadPlan.Pace pace,
      boolean oneServer,
      Map<String, List<LoadCell>> cells,
      Map<String, String> baselines,
      Map<String, Object> environment,
      @Nullable Prepared prepared)
      throws IOException {
    Welcome welcome = cells.values().iterator().next().get(0).welcome();
    LoadPlan.Live live = welcome.live();
    List<String> notes =
        List.of(
            welcome.summary() + "; copied into each directory.",
            String.format(
                Locale.ROOT,
                "%d queries of %s, answered by %d threads; %s.",
                welcome.queries(),
                String.join(", ", welcome.kinds()),
                live.threads(),
                live.updatesPerSecond() == 0
                    ? "no updates"
                    : String.format(
                        Locale.ROOT,
                        "%,d updates a second, a reopen every %,d ms",
                        live.updatesPerSecond(),
                        live.reopenMillis())));
    new LoadReport(pace, load.seed(), oneServer, cells, baselines)
        .write(
            load.out(),
            environment,
            prepared == null ? List.of() : prepared.notRun(),
            notes,
            out());
  }

  private void serve(Workspace workspace, LoadPlan plan, LoadColumn column, ServerInput input)
      throws IOException {
    JvmFlags flags = new JvmFlags(column.heapMegabytes(), column.collector());
    ServerSpec server =
        input.server(column, plan.live(), flags, plan.seed(), place.address(), place.port(), false);
    ForkStart start = new ForkStart(column.label(), ServerJob.NAME, server, false);
    try (ChildJvm fork = ChildJvm.start(workspace, flags, start)) {
      int port = fork.await(ServerJob.LISTENING, Integer.class);
      out()
          .printf(
              Locale.ROOT,
              "Serving %s at %s:%d (process %d); end with Ctrl-C%n",
              column.label(),
              place.address(),
              port,
              fork.pid());
      out().flush();
      while (true) {
        String line = fork.await(ServerJob.LOG, String.class);
        out().println(line);
        out().flush();
      }
    }
  }

  private void connect(InetSocketAddress server, LoadPlan.Pace pace, int forks, Path out)
      throws IOException {
    List<LoadCell> cells = new ArrayList<>();
    try (Workspace workspace = Workspace.create();
        Progress progress = Progress.create()) {
      progress.start(forks);
      for (int i = 0; i < forks; i++) {
        Integer common = cells.isEmpty() ? null : cells.get(0).common();
        ClientSpec client =
            LoadFork.client(
                server.getHostString(), server.getPort(), pace, common, load.seed() + 1 + i);
        try (ChildJvm fork = LoadFork.startClient(workspace, client)) {
          LoadCell cell = fork.await(ClientJob.MEASURED, LoadCell.class);
          fork.finish();
          cells.add(LoadFork.checked(cell));
        }
        progress.stepDone();
      }
    }
    Welcome welcome = cells.get(0).welcome();
    Map<String, Object> environment = new LinkedHashMap<>(welcome.environment());
    environment.put("client", Environment.describe(out, List.of()));
    environment.put("command", Main.commandLine());
    environment.put("pace", pace);
    report(
        pace,
        true,
        Map.of(welcome.label(), cells),
        Map.of(welcome.label(), welcome.label()),
        environment,
        null);
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }
}
