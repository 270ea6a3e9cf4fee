// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import io.github.lucenedirectories.benchmarks.harness.Cgroups;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading;
import io.github.lucenedirectories.benchmarks.harness.ProcessReading.Value;
import io.github.lucenedirectories.benchmarks.harness.RunOptions;
import io.github.lucenedirectories.benchmarks.harness.Workspace;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.tools.console.UsageException;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of OpenSearch with the plugin on loopback, each node a JVM of its own and, if memory is
 * limited, in a control group of its own. The nodes keep their data when they are started again.
 * For one thread.
 */
final class Nodes implements Closeable {
  static final int COUNT = 3;
  static final String HEAP = "512m";

  /** The folder with OpenSearch's jars and the plugin's zip, which {@code ./run} builds. */
  static final String BUILT = "lucene-directories.opensearch";

  static final int START_SECONDS = 300;

  private static final int STOP_SECONDS = 60;
  private static final String NOBODY = "65534";
  private static final Pattern TROUBLE =
      Pattern.compile(
          "OutOfMemory|CorruptIndex|SecurityException|^\\s+at io\\.github\\.lucenedirectories\\.|"
              + "\\]\\[(ERROR|FATAL)\\]|^OpenJDK.*warning");

  private final Workspace workspace;
  private final Path home;
  private final Path folder;
  private final Map<Integer, Process> running = new TreeMap<>();
  private final List<Cgroups.Group> entered = new ArrayList<>();
  private @Nullable Cgroups groups;
  private long[] limits = {};
  private final List<Integer> ports = freePorts();
  private final Rest rest = new Rest(ports.subList(0, COUNT));

  /**
   * Installs, and starts nothing yet.
   *
   * @param folder of the nodes' data and logs; what was there is removed
   */
  Nodes(Workspace workspace, Path folder) throws IOException {
    this.workspace = workspace;
    this.folder = folder;
    Path built = built();
    this.home = built.resolve("home");
    install(built);
    IOUtils.rm(folder);
    for (int i = 0; i < COUNT; i++) {
      configure(i);
    }
    if (isRoot()) {
      requireEnterable(folder);
      requireEnterable(home);
      requireEnterable(Path.of(System.getProperty("java.home")));
      execute("chown", "-R", NOBODY + ":" + NOBODY, folder.toString());
      execute("chmod", "-R", "a+rX", home.toString());
    }
  }

  /** Refuses a folder in or below one that the user of the nodes cannot enter. */
  static void requireEnterable(Path path) throws IOException {
    for (Path at = path.toRealPath().getParent(); at != null; at = at.getParent()) {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(at);
      RunOptions.refuse(
          !permissions.contains(PosixFilePermission.OTHERS_EXECUTE),
          Numbers.text(
              "nodes do not run as root, and their user %s cannot enter %s (%s), above %s: chmod"
                  + " o+x it, or start from another checkout",
              NOBODY, at, PosixFilePermissions.toString(permissions), path));
    }
  }

  static Path built() {
    Path built = Path.of(System.getProperty(BUILT, "engines/opensearch/target/quick"));
    if (!Files.isDirectory(built.resolve("home/lib"))) {
      throw new UsageException("no OpenSearch in " + built + ": start it with ./run cluster");
    }
    return built.toAbsolutePath();
  }

  private void install(Path built) throws IOException {
    Path zip = newestZip(built);
    String version = version(zip);
    Path plugin = home.resolve("plugins/lucene-directories");
    IOUtils.rm(plugin, home.resolve("plugins/vectors"));
    Files.createDirectories(plugin);
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (!entry.isDirectory()) {
          Files.copy(in, plugin.resolve(Path.of(entry.getName()).getFileName()));
        }
      }
    }
    Files.writeString(
        home.resolve("modules/transport-netty4/plugin-descriptor.properties"),
        String.format(
            Locale.ROOT,
            """
            description=HTTP and transport
            version=%1$s
            name=transport-netty4
            classname=org.opensearch.transport.Netty4ModulePlugin
            java.version=21
            opensearch.version=%1$s
            custom.foldername=
            extended.plugins=
            has.native.controller=false
            """,
            version));
    // Without it the agent lets no node connect to another.
    Files.writeString(
        home.resolve("modules/transport-netty4/plugin-security.policy"),
        "grant { permission java.net.SocketPermission \"*\", \"accept,connect,resolve\"; };\n");
    Files.createDirectories(home.resolve("bin")); // asked for by a node
  }

  private static Path newestZip(Path built) throws IOException {
    try (Stream<Path> all = Files.list(built)) {
      return all.filter(file -> file.toString().matches(".*-for-[\\d.]+\\.zip"))
          .max(Comparator.comparingLong(file -> file.toFile().lastModified()))
          .orElseThrow(() -> new UsageException("no plugin in " + built));
    }
  }

  static String version(Path zip) {
    return zip.getFileName().toString().replaceAll(".*-for-([\\d.]+)\\.zip", "$1");
  }

  /** OpenSearch's version. */
  static String version() throws IOException {
    return version(newestZip(built()));
  }

  private void configure(int node) throws IOException {
    Path work = folder(node);
    for (String name : List.of("config", "data", "logs", "tmp")) {
      Files.createDirectories(work.resolve(name));
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
    String seeds =
        ports.subList(COUNT, 2 * COUNT).stream()
            .map(port -> "\"127.0.0.1:" + port + "\"")
            .collect(Collectors.joining(", "));
    Files.writeString(
        work.resolve("config/opensearch.yml"),
        String.format(
            Locale.ROOT,
            """
        cluster.name: benchmark
        node.name: n%1$d
        path.data: %2$s/data
        path.logs: %2$s/logs
        network.host: 127.0.0.1
        http.port: %3$d
        transport.port: %4$d
        discovery.seed_hosts: [%5$s]
        cluster.initial_cluster_manager_nodes: ["n0", "n1", "n2"]
        cluster.routing.allocation.disk.threshold_enabled: false
        cluster.routing.rebalance.enable: none
        gateway.recover_after_data_nodes: %6$d
        """,
            node,
            work,
            ports.get(node),
            ports.get(COUNT + node),
            seeds,
            COUNT));
  }

  private static List<Integer> freePorts() throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < 2 * COUNT; i++) {
        sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return sockets.stream().map(ServerSocket::getLocalPort).toList();
    } finally {
      IOUtils.close(sockets);
    }
  }

  /** A node refuses to run as root. */
  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void execute(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = String.join(" ", process.inputReader().readAllLines());
    if (process.onExit().join().exitValue() != 0) {
      throw new IOException(String.join(" ", command) + ": " + said);
    }
  }

  Rest rest() {
    return rest;
  }

  List<Integer> ports() {
    return ports.subList(0, COUNT);
  }

  Path folder(int node) {
    return folder.resolve("n" + node);
  }

  List<Long> pids() {
    return running.values().stream().map(Process::pid).toList();
  }

  /** What the system tells of processes, summed up. */
  static ProcessReading reading(List<Long> pids) {
    return pids.stream()
        .map(pid -> ProcessReading.in(Path.of("/proc", pid.toString())))
        .reduce(ProcessReading::plus)
        .orElseThrow();
  }

  /** Limits each node to so many bytes, from when it is started next. */
  void limit(Cgroups with, long[] bytes) {
    groups = with;
    limits = bytes;
  }

  /** The number of the node with a name. */
  static int number(String name) {
    return Integer.parseInt(name.substring(1));
  }

  /** Memory of the node that has most of it, without its files. */
  long mostAnonymousBytes() {
    return pids().stream()
        .mapToLong(pid -> Objects.requireNonNull(reading(List.of(pid)).get(Value.ANONYMOUS_BYTES)))
        .max()
        .orElseThrow();
  }

  /** Starts all nodes, and waits until they know each other. */
  void start() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      start(i);
    }
    for (int i = 0; i < COUNT; i++) {
      awaitHealth(i, "wait_for_nodes=" + COUNT);
    }
  }

  void start(int node) throws IOException {
    List<String> command = new ArrayList<>();
    if (groups != null) {
      Cgroups.Group group = groups.make(limits[node]);
      workspace.alsoClose(group);
      entered.add(group);
      command.addAll(group.launcher());
    }
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
      command.add("--clear-groups");
    }
    Path work = folder(node);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xms" + HEAP,
            "-Xmx" + HEAP,
            "-XX:+UseG1GC",
            "-XX:+AlwaysPreTouch",
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
    Process process =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log(node).toFile()))
            .start();
    workspace.add(process);
    running.put(node, process);
  }

  /** Ends a node at once, as {@code kill -9} does, and waits until it is gone. */
  void kill(int node) {
    Process process = running.remove(node);
    if (process != null) {
      process.destroyForcibly().onExit().join();
      workspace.remove(process);
    }
  }

  /** Waits for what {@code _cluster/health} can wait for; fails if a node ends meanwhile. */
  void awaitHealth(int node, String wanted) throws IOException {
    rest.await(
        node,
        "_cluster/health?timeout=1s&" + wanted,
        health -> !health.path("timed_out").asBoolean(true),
        START_SECONDS,
        this::checkRunning);
  }

  private void checkRunning() {
    for (Map.Entry<Integer, Process> node : running.entrySet()) {
      if (!node.getValue().isAlive()) {
        throw new RunFailedException("a node ended: see " + log(node.getKey()));
      }
    }
  }

  /** Lets the nodes end by themselves, and ends what does not. */
  void stop() throws IOException {
    running.values().forEach(Process::destroy);
    for (Map.Entry<Integer, Process> node : Map.copyOf(running).entrySet()) {
      try {
        node.getValue().waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      kill(node.getKey());
    }
    IOUtils.close(entered);
    entered.clear();
  }

  /** The most memory that one of the groups has had; null where that is unknown. */
  @Nullable Long peakBytes() throws IOException {
    long most = 0;
    for (Cgroups.Group group : entered) {
      most = Math.max(most, group.peakBytes().orElse(0));
    }
    return most == 0 ? null : Long.valueOf(most);
  }

  /** The folders with the files of shards. */
  List<Path> shards() throws IOException {
    List<Path> found = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      try (Stream<Path> all = Files.find(folder(i).resolve("data"), 6, Nodes::isShard)) {
        found.addAll(all.toList());
      }
    }
    return found;
  }

  private static boolean isShard(Path path, Object attributes) {
    return path.toString().matches(".*/indices/[^/]+/\\d+/index");
  }

  private Path log(int node) {
    return folder(node).resolve("node.log");
  }

  /** Fails if a log has an error, or an exception that passed through the plugin. */
  void checkLogs() throws IOException {
    for (int i = 0; i < COUNT; i++) {
      List<String> trouble = trouble(Files.readAllLines(log(i)));
      if (!trouble.isEmpty()) {
        throw new RunFailedException(log(i) + " has errors: " + trouble.getFirst());
      }
    }
  }

  static List<String> trouble(List<String> log) {
    return log.stream().filter(line -> TROUBLE.matcher(line).find()).toList();
  }

  @Override
  public void close() throws IOException {
    IntStream.range(0, COUNT).forEach(this::kill);
    rest.close();
    IOUtils.close(entered);
    entered.clear();
  }
}
