package io.github.lucenedirectories.benchmarks.load;

import io.github.lucenedirectories.benchmarks.console.UsageException;
import java.net.InetSocketAddress;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options that say where server and client run: by default both here. */
final class PlaceOptions {
  private static final int MOST_PORT = 65_535;

  /* What only a client takes, and all that it takes. */
  private static final Set<String> PACE =
      Set.of("--rates", "--sla", "--step-seconds", "--warmup", "--forks", "--freeze", "--resume");
  private static final Set<String> CLIENT =
      Set.of(
          "--connect",
          "--rates",
          "--sla",
          "--step-seconds",
          "--warmup",
          "--forks",
          "--quick",
          "--seed",
          "--out");

  @Option(
      names = "--serve",
      paramLabel = "PORT",
      description = "only serve, at this port (0: any), until Ctrl-C; with one directory")
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

  boolean isServer() {
    return serve != null;
  }

  boolean isClient() {
    return connect != null;
  }

  /**
   * Refuses options that have no meaning where client or server run alone.
   *
   * @throws UsageException that names the option
   */
  void check(ParseResult given) {
    if (serve != null && connect != null) {
      throw new UsageException("--serve and --connect are for two processes: give one of them");
    }
    if (bind != null && serve == null) {
      throw new UsageException("--bind is for --serve alone");
    }
    if (serve != null && (serve < 0 || serve > MOST_PORT)) {
      throw new UsageException("--serve must be a port from 0 to 65535: " + serve);
    }
    if ((serve != null || connect != null) && given.hasMatchedOption("--preset")) {
      throw new UsageException(
          "--preset runs server and client on one machine: give its options one by one beside"
              + " --serve and --connect");
    }
    for (OptionSpec option : given.matchedOptions()) {
      String name = option.longestName();
      if (serve != null && PACE.contains(name)) {
        throw new UsageException(name + " is the client's: leave it out beside --serve");
      }
      if (connect != null && !CLIENT.contains(name)) {
        throw new UsageException(
            name
                + (name.equals("--freeze")
                    ? " stops the server that load starts itself"
                    : " is the server's")
                + ": leave it out beside --connect");
      }
    }
  }

  /** The port to serve at. */
  int port() {
    return serve == null ? 0 : serve;
  }

  /** The address to serve at. */
  String address() {
    return bind == null ? LoadFork.LOOPBACK : bind;
  }

  /**
   * The server to connect to.
   *
   * @throws UsageException if that is not what the user wrote
   */
  InetSocketAddress server() {
    String text = connect == null ? "" : connect;
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
}
