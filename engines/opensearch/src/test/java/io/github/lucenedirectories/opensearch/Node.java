// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node on loopback with OpenSearch's own Java agent, and its REST API. For one thread. */
final class Node {

  private static final String NOBODY = "65534";
  private static final int START_SECONDS = 300;

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path home;
  private final Path work;
  private final List<String> options;
  private final int http = freePort();
  final int transport = freePort();
  private @Nullable Process process;

  /** A command that becomes the one in its last arguments; the node's process starts with it. */
  List<String> launcher = List.of();

  /**
   * Configures a node, and does not start it.
   *
   * @param home OpenSearch's jars and the plugin
   * @param work is emptied for the node's data, configuration and log
   * @param settings more lines of {@code opensearch.yml}; {@code WORK} stands for {@code work}
   * @param options more of the JVM
   */
  Node(Path home, Path work, String settings, String... options)
      throws IOException, InterruptedException {
    this.home = home;
    this.work = work;
    this.options = List.of(options);
    delete(work);
    for (String folder : List.of("config", "data", "logs", "tmp", "snapshots")) {
      Files.createDirectories(work.resolve(folder));
    }
    Files.writeString(
        work.resolve("config/log4j2.properties"),
        """
        status = error
        appender.console.type = Console
        appender.console.name = console
        appender.console.layout.type = PatternLayout
        appender.console.layout.pattern = [%d{ISO8601}][%-5p][%-25c{1.}] %m%n
        rootLogger.level = info
        rootLogger.appenderRef.console.ref = console
        """);
    Files.writeString(
        work.resolve("config/opensearch.yml"),
        String.format(
                Locale.ROOT,
                """
            path.data: WORK/data
            path.logs: WORK/logs
            path.repo: WORK/snapshots
            network.host: 127.0.0.1
            http.port: %s
            transport.port: %s
            cluster.routing.allocation.disk.threshold_enabled: false
            %s
            """,
                http,
                transport,
                settings.contains("discovery.")
                    ? settings
                    : "node.name: smoke\ndiscovery.type: single-node\n" + settings)
            .replace("WORK", work.toString()));
    if (isRoot()) {
      execute("chown", "-R", NOBODY, work.toString());
      execute("chmod", "-R", "a+rX", home.toString());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.sorted((a, b) -> b.compareTo(a)).toList()) {
          Files.delete(path);
        }
      }
    }
  }

  /** A node refuses to run as root. */
  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  static void execute(String... command) throws IOException, InterruptedException {
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException(String.join(" ", command));
    }
  }

  Path log() {
    return work.resolve("node.log");
  }

  Path data() {
    return work.resolve("data");
  }

  Path snapshots() {
    return work.resolve("snapshots");
  }

  void start() throws IOException, InterruptedException {
    start(health -> !health.contains("\"red\""));
  }

  /** Waits until the cluster's health is as wanted. */
  void start(Predicate<String> healthy) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(launcher);
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
      command.add("--clear-groups");
    }
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(options);
    command.addAll(
        List.of(
            "-Xms512m",
            "-Xmx512m",
            "-Djna.nosys=true",
            "-Dlog4j2.disable.jmx=true",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-javaagent:" + home.resolve("agent/opensearch-agent.jar"),
            "-Djava.io.tmpdir=" + work.resolve("tmp"),
            "-Dopensearch.path.home=" + home,
            "-Dopensearch.path.conf=" + work.resolve("config"),
            "-cp",
            home.resolve("lib") + "/*",
            "org.opensearch.bootstrap.OpenSearch"));
    process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    await("/_cluster/health", healthy);
  }

  void stop() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroy();
      if (!running.waitFor(40, TimeUnit.SECONDS)) {
        kill();
      }
      process = null;
    }
  }

  /** Ends it at once, as {@code kill -9} does. */
  void kill() throws InterruptedException {
    Process running = process;
    if (running != null) {
      running.destroyForcibly().waitFor();
      process = null;
    }
  }

  long pid() {
    return Objects.requireNonNull(process).pid();
  }

  void await(String path, Predicate<String> good) throws IOException, InterruptedException {
    await(path, "", good);
  }

  /** Waits until {@code GET} answers as wanted. */
  void await(String path, String body, Predicate<String> good)
      throws IOException, InterruptedException {
    String last = "";
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        System.nanoTime() < end;
        Thread.sleep(200)) {
      if (process == null || !process.isAlive()) {
        throw new IOException("the node ended");
      }
      try {
        HttpResponse<String> response = send("GET", path, body);
        last = response.body();
        if (response.statusCode() == 200 && good.test(last)) {
          return;
        }
      } catch (IOException e) {
        last = e.toString();
      }
    }
    throw new IOException("waited for " + path + ": " + last);
  }

  HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + path))
            .header(
                "Content-Type",
                path.contains("_bulk") ? "application/x-ndjson" : "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  String call(String method, String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> response = send(method, path, body);
    if (response.statusCode() >= 300) {
      throw new IOException(method + " " + path + ": " + response.body());
    }
    return response.body();
  }
}
