package io.github.lucenedirectories.benchmarks.cache;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.github.lucenedirectories.benchmarks.Main;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.CommonOptions;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.prepare.IndexOptions;
import io.github.lucenedirectories.benchmarks.prepare.Preparation;
import io.github.lucenedirectories.benchmarks.prepare.Prepared;
import io.github.lucenedirectories.benchmarks.prepare.TaskOptions;
import io.github.lucenedirectories.benchmarks.report.Environment;
import io.github.lucenedirectories.benchmarks.report.TextTable;
import io.github.lucenedirectories.benchmarks.tasks.ChosenTasks;
import io.github.lucenedirectories.benchmarks.tasks.NamedTask;
import io.github.lucenedirectories.benchmarks.tasks.SearchContext;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import org.apache.lucene.index.DirectoryReader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cache-trace}: which blocks queries read, and how many of them a cache has. */
@Command(
    name = CacheTraceCommand.NAME,
    description = {
      "Record which blocks of an index queries read, and replay that on BlockCache and on Caffeine.",
      "The hit rate is that of one replay from empty, at capacities that are shares of all blocks"
          + " that are read. The cost is that of an access, a copy of 1 KiB included, when all"
          + " blocks are there."
    },
    sortOptions = false)
public final class CacheTraceCommand implements Callable<Integer> {
  static final String NAME = "cache-trace";

  private static final int COST_ROUNDS = 5;

  @Mixin private IndexOptions index = new IndexOptions();

  @Mixin private TaskOptions tasks = new TaskOptions();

  @Option(
      names = "--queries-run",
      paramLabel = "N",
      description = "queries in the trace, drawn with preference for few of them (default: 20000)",
      defaultValue = "20000")
  private int queriesRun = 20_000;

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description = "replay a trace that was recorded before, instead of recording one")
  private @Nullable Path recorded;

  @Option(
      names = "--shares",
      split = ",",
      paramLabel = "SHARE",
      description = "capacities as shares of all blocks read (default: ${DEFAULT-VALUE})",
      defaultValue = "0.01,0.05,0.1,0.2,0.4,0.7")
  private List<Double> shares = List.of();

  @Option(
      names = "--block-bytes",
      split = ",",
      paramLabel = "N",
      description = "lengths of blocks, powers of two from 4096 (default: ${DEFAULT-VALUE})",
      defaultValue = "4096,16384,65536")
  private List<Integer> blockBytes = List.of();

  @Mixin private CommonOptions common = new CommonOptions();

  @Spec private @Nullable CommandSpec spec;

  /**
   * One line of the result.
   *
   * @param share of all blocks that are read
   */
  record Row(
      int blockBytes,
      double share,
      int blocks,
      CacheReplay.Replayed ours,
      CacheReplay.Replayed caffeine) {}

  @Override
  public Integer call() throws IOException {
    RunOptions.positive("--queries-run", queriesRun);
    for (int bytes : blockBytes) {
      if (bytes < AccessTrace.BLOCK_BYTES || Integer.bitCount(bytes) != 1) {
        throw new UsageException("--block-bytes must be powers of two from 4096: " + bytes);
      }
    }
    for (double share : shares) {
      RunOptions.positive("--shares", share);
    }
    index.check();
    tasks.check();
    Preparation.createFolder(out());
    AccessTrace trace = recorded == null ? record() : AccessTrace.read(recorded);
    List<Row> rows = new ArrayList<>();
    for (int bytes : blockBytes) {
      CacheReplay replay = new CacheReplay(trace, bytes);
      int distinct = replay.distinctBlocks();
      for (double share : shares) {
        int blocks = Math.max(1, (int) (distinct * share));
        rows.add(new Row(bytes, share, blocks, replay.ours(blocks, 1), replay.caffeine(blocks, 1)));
      }
      rows.add(
          new Row(
              bytes,
              1,
              distinct,
              replay.ours(distinct, COST_ROUNDS),
              replay.caffeine(2 * distinct, COST_ROUNDS)));
    }
    Path json = out().resolve("results.json");
    new ObjectMapper()
        .writerWithDefaultPrettyPrinter()
        .writeValue(
            json.toFile(),
            Map.of(
                "environment", Environment.describe(out(), JvmFlags.forIndex(0).flags()),
                "command", Main.commandLine(),
                "blocks", trace.size(),
                "rows", rows));
    print(trace, rows, json);
    return 0;
  }

  private AccessTrace record() throws IOException {
    AccessTrace trace = new AccessTrace();
    try (Workspace workspace = Workspace.create()) {
      Path chosen = workspace.file("queries.tasks");
      Prepared prepared =
          new Preparation(index.source(), tasks, List.of(), out())
              .run(workspace, tasks.queries(200), common.seed(), chosen);
      List<NamedTask> all = ChosenTasks.read(chosen, index.source().field());
      Random random = new Random(common.seed());
      Collections.shuffle(all, random);
      try (TracedDirectory directory = new TracedDirectory(Path.of(prepared.index()), trace);
          DirectoryReader reader = DirectoryReader.open(directory)) {
        SearchContext context = new SearchContext(reader);
        for (int i = 0; i < queriesRun; i++) {
          // A user's queries are not all alike: the cube prefers those at the front.
          int query = (int) (all.size() * Math.pow(random.nextDouble(), 3));
          all.get(query).task().run(context);
        }
      }
    }
    trace.write(out().resolve("accesses.trace.gz"));
    return trace;
  }

  private void print(AccessTrace trace, List<Row> rows, Path json) {
    TextTable table = new TextTable();
    table.add(
        List.of("block", "accesses", "capacity", "BlockCache", "Caffeine", "ns", "ns Caffeine"));
    for (Row row : rows) {
      table.add(
          List.of(
              Integer.toString(row.blockBytes),
              String.format(Locale.ROOT, "%,d", row.ours.accesses()),
              String.format(Locale.ROOT, "%.0f %%", row.share * 100),
              String.format(Locale.ROOT, "%.2f %%", row.ours.hitRate() * 100),
              String.format(Locale.ROOT, "%.2f %%", row.caffeine.hitRate() * 100),
              row.share == 1 ? String.format(Locale.ROOT, "%.0f", row.ours.nanos()) : "",
              row.share == 1 ? String.format(Locale.ROOT, "%.0f", row.caffeine.nanos()) : ""));
    }
    if (spec == null) {
      return;
    }
    PrintWriter writer = spec.commandLine().getOut();
    writer.printf(
        Locale.ROOT,
        "%,d blocks of 4 KiB read, of %d files; hit rates.%n%n",
        trace.size(),
        trace.files());
    table.lines().forEach(writer::println);
    writer.println();
    writer.println("Written: " + json);
    writer.flush();
  }

  private Path out() {
    return common.out(NAME);
  }
}
