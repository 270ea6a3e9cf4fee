package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.console.UsageException;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.harness.ForkJob;
import io.github.lucenedirectories.benchmarks.traffic.LoadClient;
import io.github.lucenedirectories.benchmarks.traffic.PeerException;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A requesting fork. */
public final class ClientJob implements ForkJob {
  /** The job's name. */
  public static final String NAME = "load-client";

  /** Said by the fork when a step of given rates begins. */
  static final String BEGUN = "begun";

  /** Said by the fork, with its {@link LoadCell}. */
  static final String MEASURED = "measured";

  @Override
  public void run(Fork parent) throws IOException {
    ClientSpec spec = parent.spec(ClientSpec.class);
    try (LoadClient client = connect(spec)) {
      parent.send(MEASURED, new ClientRun(spec, client, () -> parent.send(BEGUN, "")).run());
    } catch (PeerException e) {
      throw new RunFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static LoadClient connect(ClientSpec spec) throws IOException {
    LoadClient client;
    try {
      client = LoadClient.connect(new InetSocketAddress(spec.host(), spec.port()));
    } catch (PeerException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
    return client;
  }
}
