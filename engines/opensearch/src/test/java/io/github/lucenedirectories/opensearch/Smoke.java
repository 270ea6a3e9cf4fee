package io.github.lucenedirectories.opensearch;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.lucene.util.SuppressForbidden;
import org.jspecify.annotations.Nullable;

/**
 * Starts a node with the plugin and OpenSearch's own Java agent on loopback: {@code Smoke HOME ZIP
 * VERSION}. Indexes and searches with each store type, exhausts the budget of memory, reads the
 * statistics, restarts the node, and searches again.
 */
@SuppressForbidden(reason = "a command prints")
final class Smoke {

  private static final PrintStream OUT = System.out;
  private static final int HTTP = 19_250;
  private static final String NOBODY = "65534";
  private static final int DOCUMENTS = 2_000;
  private static final int START_SECONDS = 150;

  private static final String USED = ".*\"ram\":\\{[^}]*\"used_bytes\":(\\d+).*";

  private final HttpClient client = HttpClient.newHttpClient();
  private final Path home;
  private final Path work;
  private @Nullable Process node;
  private int checks;

  private Smoke(Path home) {
    this.home = home;
    work = home.resolveSibling("node");
  }

  public static void main(String[] args) throws Exception {
    Smoke smoke = new Smoke(Path.of(args[0]).toAbsolutePath());
    smoke.install(Path.of(args[1]), args[2]);
    long begun = System.nanoTime();
    try {
      smoke.run();
    } catch (Throwable t) {
      OUT.println("the node's log: " + smoke.work.resolve("node.log"));
      throw t;
    } finally {
      smoke.stop();
    }
    OUT.printf(
        Locale.ROOT,
        "passed: %s checks in %s s%n",
        smoke.checks,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
  }

  private void install(Path zip, String version) throws IOException, InterruptedException {
    Path plugin = home.resolve("plugins/lucene-directories");
    delete(plugin);
    delete(work);
    Files.createDirectories(plugin);
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        if (!entry.isDirectory()) {
          Files.copy(in, plugin.resolve(entry.getName()));
        }
      }
    }
    Files.writeString(
        home.resolve("modules/transport-netty4/plugin-descriptor.properties"),
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
        """
            .formatted(version));
    Files.createDirectories(home.resolve("bin")); // asked for by the node
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
        """
        node.name: smoke
        path.data: %1$s/data
        path.logs: %1$s/logs
        path.repo: %1$s/snapshots
        network.host: 127.0.0.1
        http.port: %2$s
        transport.port: %3$s
        discovery.type: single-node
        cluster.routing.allocation.disk.threshold_enabled: false
        directories.cache.size: 32mb
        directories.ram.size: 64mb
        directories.warm_start.enabled: true
        directories.vector_prefetch.enabled: true
        """
            .formatted(work, HTTP, HTTP + 100));
    if (isRoot()) {
      execute("chown", "-R", NOBODY, work.toString());
      execute("chmod", "-R", "a+rX", home.toString());
    }
  }

  private static void delete(Path folder) throws IOException {
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

  private static void execute(String... command) throws IOException, InterruptedException {
    if (new ProcessBuilder(command).inheritIO().start().waitFor() != 0) {
      throw new IOException(String.join(" ", command));
    }
  }

  private void start() throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY));
      command.add("--clear-groups");
    }
    command.add(System.getProperty("java.home") + "/bin/java");
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
    Path log = work.resolve("node.log");
    node =
        new ProcessBuilder(command)
            .directory(work.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    await("/_cluster/health?wait_for_status=yellow&timeout=1s", body -> !body.contains("\"red\""));
  }

  private void stop() throws InterruptedException {
    Process running = node;
    if (running != null) {
      running.destroy();
      if (!running.waitFor(40, TimeUnit.SECONDS)) {
        running.destroyForcibly().waitFor();
      }
      node = null;
    }
  }

  private void await(String path, Predicate<String> good) throws IOException, InterruptedException {
    String last = "";
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        System.nanoTime() < end;
        Thread.sleep(200)) {
      if (node == null || !node.isAlive()) {
        throw new IOException("the node ended");
      }
      try {
        HttpResponse<String> response = send("GET", path, "");
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

  private HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + HTTP + path))
            .header(
                "Content-Type",
                path.contains("_bulk") ? "application/x-ndjson" : "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private String call(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> response = send(method, path, body);
    if (response.statusCode() >= 300) {
      throw new IOException(method + " " + path + ": " + response.body());
    }
    return response.body();
  }

  private void require(String what, String text, String pattern) {
    if (!Pattern.compile(pattern).matcher(text).find()) {
      throw new AssertionError(what + ": no " + pattern + " in " + text);
    }
    checks++;
  }

  private void run() throws IOException, InterruptedException {
    start();
    OUT.println("the node runs");
    for (StoreType type : StoreType.values()) {
      index(type.key, type.key);
      OUT.println(type.key + ": indexed and searched");
    }
    returnToDefault();
    restore();
    split();
    requireBudget();
    String statistics = call("GET", "/_directories/stats", "");
    for (StoreType type : StoreType.values()) {
      require("statistics", statistics, "\"type\":\"" + type.key + "\",\"files\":[1-9]");
    }
    require("cache", statistics, "\"cache\":\\{\"max_bytes\":33554432,\"used_bytes\":[1-9]");
    require("memory", statistics, "\"ram\":\\{\"max_bytes\":67108864,\"used_bytes\":[1-9]");
    OUT.println(call("GET", "/_cat/directories?v", ""));
    String segments = call("GET", "/_cat/segments/directories_hybrid?h=segment", "").strip();
    String file = segments.lines().findFirst().orElseThrow() + ".si";
    String how = call("GET", "/_directories/directories_hybrid/0/explain/" + file, "");
    require("explain", how, "_\\w+\\.si: .*(MAPPED|POSITIONAL)");
    require(
        "no such file",
        call("GET", "/_directories/directories_ram/0/explain/none", ""),
        "none: no such file");
    stop();
    start();
    await("/_cluster/health?wait_for_status=yellow&timeout=1s", body -> !body.contains("\"red\""));
    for (StoreType type : StoreType.values()) {
      search(type.key, 2 * DOCUMENTS);
    }
    require("image", images(), "warm-start.image");
    stop();
    String log = Files.readString(work.resolve("node.log"));
    if (log.contains("SecurityException") || log.contains("ExceptionInInitializerError")) {
      throw new AssertionError("the agent denied something");
    }
  }

  private String images() throws IOException {
    try (Stream<Path> all = Files.walk(work.resolve("data"))) {
      return all.map(path -> path.getFileName().toString()).distinct().toList().toString();
    }
  }

  private void index(String name, String type) throws IOException, InterruptedException {
    create(name, type);
    bulk(name, 0, "");
    call("POST", "/" + name + "/_flush", "");
    search(name, DOCUMENTS);
    bulk(name, DOCUMENTS, ""); // in the translog only
    search(name, 2 * DOCUMENTS);
    call("POST", "/" + name + "/_forcemerge?max_num_segments=1", "");
    search(name, 2 * DOCUMENTS);
  }

  private void create(String name, String type) throws IOException, InterruptedException {
    call(
        "PUT",
        "/" + name,
        """
        {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "store.type": "%s"},
        "mappings": {"properties": {"body": {"type": "text"}, "n": {"type": "integer"}}}}
        """
            .formatted(type));
  }

  private HttpResponse<String> tryBulk(String name, int from, String filler)
      throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < from + DOCUMENTS; i++) {
      lines.append("{\"index\": {\"_id\": \"").append(i).append("\"}}\n");
      lines.append("{\"body\": \"document ").append(i % 2 == 0 ? "even" : "odd").append(' ');
      lines
          .append(filler)
          .append(i * 7919L)
          .append(' ')
          .append(filler.hashCode() * (long) i)
          .append("\", \"n\": ")
          .append(i)
          .append("}\n");
    }
    return send("POST", "/" + name + "/_bulk?refresh=true&timeout=2s", lines.toString());
  }

  private void bulk(String name, int from, String filler) throws IOException, InterruptedException {
    HttpResponse<String> response = tryBulk(name, from, filler);
    require("bulk", response.body(), "\"errors\":false");
  }

  private void search(String name, int documents) throws IOException, InterruptedException {
    String found =
        call(
            "POST",
            "/" + name + "/_search",
            """
            {"query": {"match": {"body": "odd"}}, "track_total_hits": true, "sort": [{"n": "desc"}],
            "size": 1}
            """);
    require(name, found, "\"total\":\\{\"value\":" + documents / 2 + ",");
    require(name, found, "\"_id\":\"" + (documents - 1) + "\"");
  }

  /** A closed index takes another type, and the one of before. */
  private void returnToDefault() throws IOException, InterruptedException {
    for (String type : List.of("hybridfs", "directories_hybrid")) {
      call("POST", "/directories_hybrid/_close", "");
      call("PUT", "/directories_hybrid/_settings", "{\"index.store.type\": \"" + type + "\"}");
      call("POST", "/directories_hybrid/_open?wait_for_active_shards=1", "");
      search("directories_hybrid", 2 * DOCUMENTS);
    }
  }

  /** A snapshot of each type is restored, as another index of the type. */
  private void restore() throws IOException, InterruptedException {
    String repository = "/_snapshot/smoke";
    call(
        "PUT",
        repository,
        "{\"type\": \"fs\", \"settings\": {\"location\": \"" + work.resolve("snapshots") + "\"}}");
    String taken =
        call(
            "PUT",
            repository + "/one?wait_for_completion=true",
            "{\"indices\": \"directories_*\"}");
    require("snapshot", taken, "\"state\":\"SUCCESS\"");
    String restored =
        call(
            "POST",
            repository + "/one/_restore?wait_for_completion=true",
            """
            {"indices": "directories_*", "rename_pattern": "(.+)",
            "rename_replacement": "restored_$1"}
            """);
    require("restored", restored, "\"failed\":0");
    for (StoreType type : StoreType.values()) {
      search("restored_" + type.key, 2 * DOCUMENTS);
      require(
          "type",
          call("GET", "/restored_" + type.key + "/_settings", ""),
          "\"type\":\"" + type.key + "\"");
    }
    OUT.println("restored from snapshots");
  }

  /** An index is split in two, which links to its files and deletes documents of each half. */
  private void split() throws IOException, InterruptedException {
    for (StoreType type : StoreType.values()) {
      String from = "restored_" + type.key;
      call("PUT", "/" + from + "/_settings", "{\"index.blocks.write\": true}");
      call(
          "POST",
          "/" + from + "/_split/split?wait_for_active_shards=2",
          "{\"settings\": {\"index.number_of_shards\": 2, \"index.blocks.write\": null}}");
      search("split", 2 * DOCUMENTS);
      call("DELETE", "/" + from, "");
      bulk("split", 2 * DOCUMENTS, "");
      search("split", 3 * DOCUMENTS);
      call("DELETE", "/split", "");
    }
    OUT.println("split");
  }

  /**
   * An index in memory without room fails with one message, and others go on; when another one is
   * deleted, it fits again.
   */
  private void requireBudget() throws IOException, InterruptedException {
    String size = "{\"transient\": {\"directories.ram.size\": %s}}";
    call("PUT", "/_cluster/settings", size.formatted("\"32mb\""));
    create("first", "directories_ram");
    create("second", "directories_ram");
    for (int i = 0; i < 12; i++) {
      require("room", tryBulk("first", i * DOCUMENTS, words(i)).body(), "\"errors\":false");
    }
    String used = call("GET", "/_directories/stats", "").replaceAll(USED, "$1");
    long little = Long.parseLong(used) + (512 << 10);
    call("PUT", "/_cluster/settings", size.formatted("\"" + little + "b\""));
    int acknowledged = 0;
    while (tryBulk("second", acknowledged, words(acknowledged))
        .body()
        .contains("\"errors\":false")) {
      acknowledged += DOCUMENTS;
    }
    require(
        "the cause",
        call(
            "POST",
            "/_cluster/allocation/explain",
            "{\"index\": \"second\", \"shard\": 0, \"primary\": true}"),
        "\"details\":\"failed shard[^\"]*memory limit reached: file=[^\"]*second[^\"]*"
            + "within directories.ram.size of the node; delete files or raise the limit");
    search("directories_hybrid", 2 * DOCUMENTS);
    search("directories_ram", 2 * DOCUMENTS);
    call("DELETE", "/first", "");
    call("POST", "/_cluster/reroute?retry_failed=true", "");
    await("/_cluster/health/second?timeout=1s", body -> body.contains("\"green\""));
    String count = call("GET", "/second/_count", "").replaceAll(".*\"count\":(\\d+).*", "$1");
    require("after the deletion", "" + (Integer.parseInt(count) >= acknowledged), "true");
    OUT.println("budget: " + acknowledged + " documents acknowledged, " + count + " there");
    call("DELETE", "/second", "");
    call("PUT", "/_cluster/settings", size.formatted("null"));
  }

  /** Differ from document to document, in effect: the number of each is appended. */
  private static String words(int seed) {
    return new Random(seed).ints(20).mapToObj(Integer::toHexString).collect(joining(" "));
  }
}
