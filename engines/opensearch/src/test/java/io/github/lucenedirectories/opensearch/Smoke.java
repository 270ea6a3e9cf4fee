// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Installs the plugin with OpenSearch's own installer, and starts nodes: {@code Smoke HOME ZIP
 * VERSION}. Indexes and searches with each store type, exhausts the budget of memory, reads the
 * statistics, restarts the node, and searches again; then {@link RemoteStore}.
 */
@SuppressForbidden(reason = "a command prints")
final class Smoke {

  static final PrintStream OUT = System.out;

  private static final String USED = ".*\"ram\":\\{[^}]*\"used_bytes\":(\\d+).*";

  private static int checks;

  private final Node node;
  private final Documents documents;

  private Smoke(Path home) throws IOException, InterruptedException {
    node =
        new Node(
            home,
            home.resolveSibling("node"),
            """
            directories.cache.size: 32mb
            directories.ram.size: 64mb
            directories.warm_start.enabled: true
            directories.vector_prefetch.enabled: true
            """);
    documents = new Documents(node);
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]).toAbsolutePath();
    install(home, Path.of(args[1]).toAbsolutePath(), args[2]);
    long begun = System.nanoTime();
    Smoke smoke = new Smoke(home);
    attempt(smoke.node, smoke::run);
    RemoteStore remote = new RemoteStore(home);
    attempt(remote.node, remote::run);
    OUT.printf(
        Locale.ROOT,
        "passed: %s checks in %s s%n",
        checks,
        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun));
  }

  interface Part {
    void run() throws IOException, InterruptedException;
  }

  static void attempt(Node node, Part part) throws IOException, InterruptedException {
    try {
      node.start();
      part.run();
      node.stop();
      String log = Files.readString(node.log());
      if (log.contains("SecurityException") || log.contains("ExceptionInInitializerError")) {
        throw new AssertionError("the agent denied something");
      }
      if (log.contains("listener [io.github.lucenedirectories")) {
        throw new AssertionError("a listener of the plugin failed");
      }
    } catch (Throwable t) {
      OUT.println("the node's log: " + node.log());
      throw t;
    } finally {
      node.stop();
    }
  }

  /** Makes a home of jars one that a node can be started from, with the plugin. */
  static void install(Path home, Path zip, String version)
      throws IOException, InterruptedException {
    Node.delete(home.resolve("plugins"));
    for (String folder : List.of("bin", "config", "plugins")) {
      Files.createDirectories(home.resolve(folder));
    }
    describe(home, "transport-netty4", "org.opensearch.transport.Netty4ModulePlugin", version);
    installPlugin(home, zip);
  }

  /** Writes what makes a module of a folder of jars. */
  static void describe(Path home, String name, String plugin, String version) throws IOException {
    Path module = home.resolve("modules").resolve(name);
    Files.writeString(
        module.resolve("plugin-security.policy"),
        "grant { permission java.net.SocketPermission \"*\", \"accept,connect,resolve\"; };");
    Files.writeString(
        module.resolve("plugin-descriptor.properties"),
        """
        description=%1$s
        version=%3$s
        name=%1$s
        classname=%2$s
        java.version=21
        opensearch.version=%3$s
        custom.foldername=
        extended.plugins=
        has.native.controller=false
        """
            .formatted(name, plugin, version));
  }

  /** As {@code bin/opensearch-plugin install} does, which runs the same program. */
  static void installPlugin(Path home, Path zip) throws IOException, InterruptedException {
    Node.execute(
        System.getProperty("java.home") + "/bin/java",
        "-Xmx64m",
        "-XX:+UseSerialGC",
        "-Dopensearch.path.home=" + home,
        "-Dopensearch.path.conf=" + home.resolve("config"),
        "-Dopensearch.distribution.type=tar",
        "-cp",
        home.resolve("lib") + "/*:" + home.resolve("lib/tools/plugin-cli") + "/*",
        "org.opensearch.tools.cli.plugin.PluginCli",
        "install",
        "--batch",
        zip.toUri().toString());
  }

  static void require(String what, String text, String pattern) {
    if (!Pattern.compile(pattern).matcher(text).find()) {
      throw new AssertionError(what + ": no " + pattern + " in " + text);
    }
    checks++;
  }

  private void run() throws IOException, InterruptedException {
    OUT.println("the node runs");
    for (StoreType type : StoreType.values()) {
      documents.index(type.key, type.key);
      OUT.println(type.key + ": indexed and searched");
    }
    returnToDefault();
    restore();
    split();
    requireBudget();
    String statistics = node.call("GET", "/_directories/stats", "");
    for (StoreType type : StoreType.values()) {
      require("statistics", statistics, "\"type\":\"" + type.key + "\",\"files\":[1-9]");
    }
    require("cache", statistics, "\"cache\":\\{\"max_bytes\":33554432,\"used_bytes\":[1-9]");
    require("memory", statistics, "\"ram\":\\{\"max_bytes\":67108864,\"used_bytes\":[1-9]");
    OUT.println(node.call("GET", "/_cat/directories?v", ""));
    String segments = node.call("GET", "/_cat/segments/directories_hybrid?h=segment", "").strip();
    String file = segments.lines().findFirst().orElseThrow() + ".si";
    String how = node.call("GET", "/_directories/directories_hybrid/0/explain/" + file, "");
    require("explain", how, "_\\w+\\.si: .*(MAPPED|POSITIONAL)");
    require(
        "no such file",
        node.call("GET", "/_directories/directories_ram/0/explain/none", ""),
        "none: no such file");
    node.stop();
    node.start();
    for (StoreType type : StoreType.values()) {
      documents.search(type.key, 2 * Documents.BULK);
    }
    require("image", images(), "warm-start.image");
    boolean ignored =
        Files.readString(node.log()).contains("vector_prefetch.enabled has no effect");
    require("prefetching", "" + ignored, "" + !TestShards.PREFETCHES);
  }

  private String images() throws IOException {
    try (Stream<Path> all = Files.walk(node.data())) {
      return all.map(path -> path.getFileName().toString()).distinct().toList().toString();
    }
  }

  /** A closed index takes another type, and the one of before. */
  private void returnToDefault() throws IOException, InterruptedException {
    for (String type : List.of("hybridfs", "directories_hybrid")) {
      node.call("POST", "/directories_hybrid/_close", "");
      node.call("PUT", "/directories_hybrid/_settings", "{\"index.store.type\": \"" + type + "\"}");
      node.call("POST", "/directories_hybrid/_open?wait_for_active_shards=1", "");
      documents.search("directories_hybrid", 2 * Documents.BULK);
    }
  }

  /** A snapshot of each type is restored, as another index of the type. */
  private void restore() throws IOException, InterruptedException {
    String repository = "/_snapshot/smoke";
    node.call(
        "PUT",
        repository,
        "{\"type\": \"fs\", \"settings\": {\"location\": \"" + node.snapshots() + "\"}}");
    String taken =
        node.call(
            "PUT",
            repository + "/one?wait_for_completion=true",
            "{\"indices\": \"directories_*\"}");
    require("snapshot", taken, "\"state\":\"SUCCESS\"");
    String restored =
        node.call(
            "POST",
            repository + "/one/_restore?wait_for_completion=true",
            """
            {"indices": "directories_*", "rename_pattern": "(.+)",
            "rename_replacement": "restored_$1"}
            """);
    require("restored", restored, "\"failed\":0");
    for (StoreType type : StoreType.values()) {
      documents.search("restored_" + type.key, 2 * Documents.BULK);
      require(
          "type",
          node.call("GET", "/restored_" + type.key + "/_settings", ""),
          "\"type\":\"" + type.key + "\"");
    }
    OUT.println("restored from snapshots");
  }

  /** An index is split in two, which links to its files and deletes documents of each half. */
  private void split() throws IOException, InterruptedException {
    for (StoreType type : StoreType.values()) {
      String from = "restored_" + type.key;
      node.call("PUT", "/" + from + "/_settings", "{\"index.blocks.write\": true}");
      node.call(
          "POST",
          "/" + from + "/_split/split?wait_for_active_shards=1",
          "{\"settings\": {\"index.number_of_shards\": 2, \"index.blocks.write\": null}}");
      documents.search("split", 2 * Documents.BULK);
      node.call("DELETE", "/" + from, "");
      documents.bulk("split", 2 * Documents.BULK, "");
      documents.search("split", 3 * Documents.BULK);
      node.call("DELETE", "/split", "");
    }
    OUT.println("split");
  }

  /**
   * An index in memory without room fails with one message, and others go on; when another one is
   * deleted, it fits again.
   */
  private void requireBudget() throws IOException, InterruptedException {
    String size = "{\"transient\": {\"directories.ram.size\": %s}}";
    node.call("PUT", "/_cluster/settings", size.formatted("\"32mb\""));
    documents.create("first", "directories_ram");
    documents.create("second", "directories_ram");
    for (int i = 0; i < 12; i++) {
      require(
          "room",
          documents.tryBulk("first", i * Documents.BULK, words(i)).body(),
          "\"errors\":false");
    }
    String used = node.call("GET", "/_directories/stats", "").replaceAll(USED, "$1");
    long little = Long.parseLong(used) + (512 << 10);
    node.call("PUT", "/_cluster/settings", size.formatted("\"" + little + "b\""));
    int acknowledged = 0;
    while (documents
        .tryBulk("second", acknowledged, words(acknowledged))
        .body()
        .contains("\"errors\":false")) {
      acknowledged += Documents.BULK;
    }
    // The bulk request may fail before the shard does.
    Pattern cause =
        Pattern.compile(
            "\"details\":\"failed shard[^\"]*memory limit reached: file=[^\"]*second[^\"]*"
                + "within directories.ram.size of the node; delete files or raise the limit");
    node.await(
        "/_cluster/allocation/explain",
        "{\"index\": \"second\", \"shard\": 0, \"primary\": true}",
        body -> cause.matcher(body).find());
    documents.search("directories_hybrid", 2 * Documents.BULK);
    documents.search("directories_ram", 2 * Documents.BULK);
    node.call("DELETE", "/first", "");
    node.call("POST", "/_cluster/reroute?retry_failed=true", "");
    node.await("/_cluster/health/second?timeout=1s", body -> body.contains("\"green\""));
    String count = node.call("GET", "/second/_count", "").replaceAll(".*\"count\":(\\d+).*", "$1");
    require("after the deletion", "" + (Integer.parseInt(count) >= acknowledged), "true");
    OUT.println("budget: " + acknowledged + " documents acknowledged, " + count + " there");
    node.call("DELETE", "/second", "");
    node.call("PUT", "/_cluster/settings", size.formatted("null"));
  }

  /** Differ from document to document, in effect: the number of each is appended. */
  private static String words(int seed) {
    return new Random(seed).ints(20).mapToObj(Integer::toHexString).collect(joining(" "));
  }
}
