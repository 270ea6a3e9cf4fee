package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.harness.ChildJvm;
import io.github.lucenedirectories.benchmarks.harness.ForkStart;
import io.github.lucenedirectories.benchmarks.harness.JvmFlags;
import io.github.lucenedirectories.benchmarks.harness.Rounds;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.traffic.RateGrid;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server and its client, each in a JVM of its own, seen from the command. A cell that was
 * finished before is not run again. The first cell of all decides at which rate all others are
 * compared.
 */
final class LoadFork implements Rounds.Fork<LoadColumn, LoadCell> {
  /** The address that nobody else reaches. */
  static final String LOOPBACK = "127.0.0.1";

  /* Where a search begins that knows nothing yet. */
  private static final double FIRST_RATE = 128;

  /*
   * How often the rate in common is halved for the warm-up and the beginning of a search. A server
   * that has just started falls behind at rates that it holds when it is warm, and a search never
   * comes back to a rate that was not held.
   */
  private static final int COLD_OCTAVES = 3;

  /* Of a client, which allocates little while a step runs. */
  private static final JvmFlags CLIENT = new JvmFlags(512, JvmFlags.Collector.SERIAL);

  private final Workspace workspace;
  private final LoadPlan plan;
  private final ServerInput input;
  private final Cells cells;
  private @Nullable Integer common;

  LoadFork(Workspace workspace, LoadPlan plan, ServerInput input, Cells cells) {
    this.workspace = workspace;
    this.plan = plan;
    this.input = input;
    this.cells = cells;
  }

  @Override
  public LoadCell run(LoadColumn column, long seed) throws IOException {
    String name = (seed - plan.seed()) + "-" + plan.columns().indexOf(column);
    Optional<LoadCell> finished = cells.find(name);
    LoadCell cell = finished.isPresent() ? finished.get() : measure(column, seed);
    if (common == null) {
      common = cell.common();
    }
    if (finished.isEmpty()) {
      cells.keep(name, cell);
    }
    return cell;
  }

  private LoadCell measure(LoadColumn column, long seed) throws IOException {
    JvmFlags flags = new JvmFlags(column.heapMegabytes(), column.collector());
    ServerSpec spec = input.server(column, plan.live(), flags, seed);
    ForkStart start = new ForkStart(column.label(), ServerJob.NAME, spec, false);
    LoadCell cell;
    try (ChildJvm server = ChildJvm.start(workspace, flags, start)) {
      int port = server.await(ServerJob.LISTENING, Integer.class);
      cell = measure(server, port, seed);
    } finally {
      Workspace.deleteTree(input.folder());
    }
    return checked(cell);
  }

  /**
   * Returns the cell if its server did all its work.
   *
   * @throws RunFailedException if an answer, an update or a reopen failed
   */
  static LoadCell checked(LoadCell cell) {
    String failure = cell.server().failure();
    if (failure != null) {
      throw new RunFailedException(
          "the server of " + cell.welcome().label() + " failed: " + failure);
    }
    return cell;
  }

  private LoadCell measure(ChildJvm server, int port, long seed) throws IOException {
    ClientSpec spec = client(LOOPBACK, port, plan.pace(), common, seed);
    try (ChildJvm client = startClient(workspace, spec)) {
      if (plan.pace().freezeSeconds() > 0) {
        for (int i = 0; i < plan.pace().rates().size(); i++) {
          client.await(ClientJob.BEGUN, String.class);
          Freezer.freeze(server.pid(), plan.pace().stepSeconds(), plan.pace().freezeSeconds());
        }
      }
      LoadCell cell = client.await(ClientJob.MEASURED, LoadCell.class);
      client.finish();
      server.finish();
      return cell;
    } catch (RunFailedException e) {
      if (server.hasEnded()) {
        // What it wrote says more than that its connection broke.
        server.finish();
      }
      throw e;
    }
  }

  /**
   * What a client does.
   *
   * @param common the place of the rate to compare at; null if it is not known yet
   */
  static ClientSpec client(
      String host, int port, LoadPlan.Pace pace, @Nullable Integer common, long seed) {
    int start =
        common == null
            ? RateGrid.place(FIRST_RATE)
            : Math.max(0, common - COLD_OCTAVES * RateGrid.STEPS);
    return new ClientSpec(host, port, pace, start, common, seed);
  }

  /** Starts a client. */
  static ChildJvm startClient(Workspace workspace, ClientSpec spec) throws IOException {
    ForkStart start = new ForkStart("the client", ClientJob.NAME, spec, false);
    return ChildJvm.start(workspace, CLIENT, start);
  }
}
