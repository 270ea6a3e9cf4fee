// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import static java.util.stream.Collectors.toSet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Tries the plugin together with OpenSearch's k-NN plugin: {@code Knn HOME ZIP VERSION}. Vectors of
 * each store type are found as with the node's own type, also after a merge, a restore into another
 * type, and a restart; copies on a second node hold the same; and of a node that is killed again
 * and again nothing acknowledged is lost. {@code -Dknn.lib} is the folder of the plugin's native
 * libraries, {@code -Dkills} the number of kills, {@code -Dparts} some of {@code
 * compare,copy,kill}, or {@code limit}, which is {@link MemoryLimit}.
 */
@SuppressForbidden(reason = "a command prints")
final class Knn {

  private static final int DIMENSIONS = 64;
  private static final int DOCUMENTS = 3_000;
  private static final int BULK = 1_000;
  private static final int QUERIES = 10;
  private static final int K = 10;
  static final Pattern ID = Pattern.compile("\"_id\":\"(\\d+)\"");

  private static final String SETTINGS =
      """
      directories.cache.size: 32mb
      directories.ram.size: 256mb
      directories.warm_start.enabled: true
      directories.vector_prefetch.enabled: true
      """;

  private final Path home;
  private final String[] options;

  /** The fields, and the least share of the true neighbours that a search finds. */
  private final Map<String, Double> fields = new HashMap<>(Map.of("lucene", 0.9));

  private final List<Set<Integer>> neighbours = neighbours();
  private final List<String> types = new ArrayList<>(List.of("hybridfs"));

  private Knn(Path home) {
    this.home = home;
    String lib = System.getProperty("knn.lib", "");
    // Nodes start often here.
    options =
        new String[] {"-Djava.library.path=" + lib, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"};
    if (!lib.isEmpty()) {
      fields.putAll(Map.of("faiss", 0.7, "on_disk", 0.5));
    }
    for (StoreType type : StoreType.values()) {
      types.add(type.key);
    }
  }

  public static void main(String[] args) throws Exception {
    Path home = Path.of(args[0]).toAbsolutePath();
    install(home, Path.of(args[1]).toAbsolutePath(), args[2]);
    Knn knn = new Knn(home);
    List<String> parts = List.of(System.getProperty("parts", "compare,copy,kill").split(","));
    Node node = knn.node("knn", SETTINGS);
    if (parts.contains("compare")) {
      Smoke.attempt(node, () -> knn.compare(node));
    }
    if (parts.contains("copy")) {
      knn.copy();
    }
    if (parts.contains("kill")) {
      Smoke.attempt(node, () -> knn.kill(node, Integer.getInteger("kills", 2)));
    }
    if (parts.contains("limit")) {
      new MemoryLimit(home, false).run();
    }
    Smoke.OUT.println("passed with k-NN: " + parts + ", fields " + knn.fields.keySet());
  }

  private Node node(String name, String settings) throws IOException, InterruptedException {
    return new Node(home, home.resolveSibling(name), settings, options);
  }

  /** Adds the modules that the k-NN plugin extends, and that plugin. */
  private static void install(Path home, Path zip, String version)
      throws IOException, InterruptedException {
    for (String name : List.of("lang-painless", "transport-grpc")) {
      Node.delete(home.resolve("modules").resolve(name));
      Files.createDirectories(home.resolve("modules").resolve(name));
    }
    try (Stream<Path> jars = Files.list(home.resolve("knn"))) {
      for (Path jar : jars.toList()) {
        String name = jar.getFileName().toString();
        boolean painless = name.matches("(antlr4|asm|.*painless).*");
        if (name.endsWith(".jar") && !Files.exists(home.resolve("lib").resolve(name))) {
          String module = painless ? "lang-painless" : "transport-grpc";
          Files.copy(jar, home.resolve("modules").resolve(module).resolve(name));
        }
      }
    }
    Smoke.describe(home, "lang-painless", "org.opensearch.painless.PainlessModulePlugin", version);
    Smoke.describe(home, "transport-grpc", "org.opensearch.transport.grpc.GrpcPlugin", version);
    Smoke.install(home, zip, version);
    Smoke.installPlugin(home, home.resolve("knn/opensearch-knn-" + version + ".0.zip"));
  }

  /** In as many clusters as there are queries, so that there are true neighbours. */
  private static float[] vector(int document) {
    Random center = new Random(document % QUERIES);
    Random random = new Random(1_000 + document);
    float[] vector = new float[DIMENSIONS];
    for (int i = 0; i < DIMENSIONS; i++) {
      vector[i] = Math.round(10 * (center.nextGaussian() + random.nextGaussian() / 2)) / 10f;
    }
    return vector;
  }

  private static String text(float[] vector) {
    return Arrays.toString(vector);
  }

  private void create(Node node, String index, String type, String more)
      throws IOException, InterruptedException {
    StringBuilder properties = new StringBuilder("\"n\": {\"type\": \"integer\"}");
    for (String field : fields.keySet()) {
      String method =
          field.equals("on_disk")
              ? "\"mode\": \"on_disk\", \"compression_level\": \"32x\""
              : "\"method\": {\"name\": \"hnsw\", \"engine\": \"" + field + "\"}";
      properties.append(", \"").append(field).append("\": {\"type\": \"knn_vector\", ");
      properties.append("\"dimension\": 64, \"space_type\": \"l2\", ").append(method).append("}");
    }
    node.call(
        "PUT",
        "/" + index,
        """
        {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "store.type": "%s",
        "refresh_interval": -1, "knn": true, "knn.advanced.approximate_threshold": 0 %s},
        "mappings": {"properties": {%s}}}
        """
            .formatted(type, more, properties));
  }

  private HttpResponse<String> bulk(Node node, String index, int from, int to)
      throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < to; i++) {
      String vector = text(vector(i));
      lines.append("{\"index\": {\"_id\": \"" + i + "\"}}\n{\"n\": ").append(i);
      for (String field : fields.keySet()) {
        lines.append(", \"").append(field).append("\": ").append(vector);
      }
      lines.append("}\n");
    }
    return node.send("POST", "/" + index + "/_bulk", lines.toString());
  }

  private void fill(Node node, String index) throws IOException, InterruptedException {
    for (int from = 0; from < DOCUMENTS; from += BULK) {
      String written = bulk(node, index, from, from + BULK).body();
      Smoke.require("bulk", written, "\"errors\":false");
      node.call("POST", "/" + index + "/_refresh", "");
    }
  }

  private static List<Integer> search(Node node, String index, String field, float[] query)
      throws IOException, InterruptedException {
    String found =
        node.call(
            "POST",
            "/" + index + "/_search?preference=_local&filter_path=hits.hits._id,_shards",
            """
            {"size": %1$s, "query": {"knn": {"%2$s": {"vector": %3$s, "k": %1$s}}}}
            """
                .formatted(K, field, text(query)));
    Smoke.require(index, found, "\"failed\":0");
    return ID.matcher(found).results().map(hit -> Integer.valueOf(hit.group(1))).toList();
  }

  /** How far off all hits are, by field; checks that they are near the true neighbours. */
  private Map<String, List<Double>> hits(Node node, String index)
      throws IOException, InterruptedException {
    Map<String, List<Double>> all = new HashMap<>();
    for (Map.Entry<String, Double> field : fields.entrySet()) {
      List<Double> hits = new ArrayList<>();
      int right = 0;
      for (int i = 0; i < QUERIES; i++) {
        float[] query = vector(DOCUMENTS + i);
        List<Integer> found = search(node, index, field.getKey(), query);
        right += (int) found.stream().filter(neighbours.get(i)::contains).count();
        found.forEach(hit -> hits.add(distance(query, vector(hit))));
      }
      double recall = (double) right / (K * QUERIES);
      if (recall < field.getValue()) {
        throw new AssertionError(index + ": recall of " + field.getKey() + " is " + recall);
      }
      all.put(field.getKey(), hits);
    }
    return all;
  }

  private static List<Set<Integer>> neighbours() {
    float[][] all = IntStream.range(0, DOCUMENTS).mapToObj(Knn::vector).toArray(float[][]::new);
    return IntStream.range(DOCUMENTS, DOCUMENTS + QUERIES)
        .mapToObj(Knn::vector)
        .map(
            query ->
                IntStream.range(0, DOCUMENTS)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> distance(query, all[i])))
                    .limit(K)
                    .collect(toSet()))
        .toList();
  }

  private static double distance(float[] a, float[] b) {
    return IntStream.range(0, a.length).mapToDouble(i -> (a[i] - b[i]) * (a[i] - b[i])).sum();
  }

  /** What was expected, or what is found if there is no expectation yet. */
  private Map<String, List<Double>> requireHits(
      Node node, String index, Map<String, List<Double>> expected)
      throws IOException, InterruptedException {
    Map<String, List<Double>> found = hits(node, index);
    if (!expected.isEmpty() && !found.equals(expected)) {
      throw new AssertionError(index + ": " + found + " instead of " + expected);
    }
    return found;
  }

  /** Each store type, with and without memory-optimized search, against the node's own type. */
  private void compare(Node node) throws IOException, InterruptedException {
    for (boolean optimized : new boolean[] {false, true}) {
      String more = ", \"knn.memory_optimized_search\": " + optimized;
      Map<String, List<Double>> merged = Map.of();
      for (String type : types) {
        create(node, type, type, more);
        fill(node, type);
        hits(node, type); // of segments that are searched at once, others each time
        node.call("POST", "/" + type + "/_forcemerge?max_num_segments=1", "");
        node.call("POST", "/" + type + "/_refresh", "");
        merged = requireHits(node, type, merged);
        node.call("POST", "/" + type + "/_flush", "");
        Smoke.OUT.println(type + ": as hybridfs, memory-optimized: " + optimized);
      }
      restore(node, merged);
      node.stop();
      node.start();
      for (String type : types) {
        requireHits(node, type, merged);
        node.call("POST", "/" + type + "/_close", "");
        node.call("POST", "/" + type + "/_open?wait_for_active_shards=1", "");
        requireHits(node, type, merged);
        Smoke.require(type, files(node), "\\.vec");
        node.call("DELETE", "/" + type + ",restored_" + type, "");
      }
      node.call("DELETE", "/_snapshot/knn/one", "");
      awaitNoFiles(node);
    }
  }

  private static String files(Node node) throws IOException {
    try (Stream<Path> all = Files.walk(node.data().resolve("nodes/0/indices"))) {
      return all.toList().toString();
    } catch (UncheckedIOException e) {
      return e.toString(); // deleted meanwhile
    }
  }

  private static void awaitNoFiles(Node node) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (files(node).matches("(?s).*\\.(vec|vex|faiss|cfs).*")) {
      if (System.nanoTime() > end) {
        throw new AssertionError("left behind: " + files(node));
      }
      Thread.sleep(100);
    }
  }

  /** A snapshot of each type is restored into the next one. */
  private void restore(Node node, Map<String, List<Double>> expected)
      throws IOException, InterruptedException {
    String repository = "/_snapshot/knn";
    node.call(
        "PUT",
        repository,
        "{\"type\": \"fs\", \"settings\": {\"location\": \"" + node.snapshots() + "\"}}");
    String taken = node.call("PUT", repository + "/one?wait_for_completion=true", "");
    Smoke.require("snapshot", taken, "\"state\":\"SUCCESS\"");
    for (int i = 0; i < types.size(); i++) {
      String into = types.get((i + 1) % types.size());
      String restored =
          node.call(
              "POST",
              repository + "/one/_restore?wait_for_completion=true",
              """
              {"indices": "%s", "rename_pattern": "(.+)", "rename_replacement": "restored_$1",
              "index_settings": {"index.store.type": "%s"}}
              """
                  .formatted(types.get(i), into));
      Smoke.require("restored", restored, "\"failed\":0");
      requireHits(node, "restored_" + types.get(i), expected);
    }
  }

  /** Each type with a copy on a second node, which ends, misses documents and comes back. */
  private void copy() throws IOException, InterruptedException {
    Node first =
        node(
            "first",
            SETTINGS
                + "node.name: first\ndiscovery.seed_hosts: []\n"
                + "cluster.initial_cluster_manager_nodes: [first]\n");
    Node second =
        node(
            "second",
            SETTINGS
                + "node.name: second\nnode.roles: [data]\n"
                + "discovery.seed_hosts: [\"127.0.0.1:"
                + first.transport
                + "\"]\n");
    Smoke.attempt(
        first,
        () -> {
          try {
            second.start();
            for (String type : types) {
              create(first, type, type, ", \"knn.memory_optimized_search\": true");
              Smoke.require("bulk", bulk(first, type, 0, BULK).body(), "\"errors\":false");
              first.call("POST", "/" + type + "/_flush", "");
              first.call("PUT", "/" + type + "/_settings", "{\"index.number_of_replicas\": 1}");
            }
            first.await("/_cluster/health", health -> health.contains("\"green\""));
            second.kill();
            for (String type : types) {
              for (int from = BULK; from < DOCUMENTS; from += BULK) {
                String written = bulk(first, type, from, from + BULK).body();
                Smoke.require("bulk", written, "\"errors\":false");
              }
            }
            second.start(health -> health.contains("\"green\""));
            for (String type : types) {
              first.call("POST", "/" + type + "/_refresh", "");
              hits(first, type);
              hits(second, type);
            }
            Smoke.OUT.println("copied to a second node");
          } finally {
            second.stop();
          }
        });
  }

  /** Kills a node while it writes, refreshes, flushes and merges; all acknowledged stay. */
  private void kill(Node node, int kills) throws IOException, InterruptedException {
    int[] acknowledged = new int[types.size()];
    int[] sent = new int[types.size()];
    for (String type : types) {
      create(node, type, type, "");
    }
    Random random = new Random(kills);
    for (int i = 0; i < kills; i++) {
      Thread killer =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      Thread.sleep(random.nextInt(500, 8_000));
                      node.kill();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                  });
      try {
        write(node, acknowledged, sent, random);
      } catch (IOException _) {
        killer.join();
      }
      node.start(health -> health.contains("\"unassigned_shards\":0"));
      for (int t = 0; t < sent.length; t++) {
        requireAcknowledged(node, types.get(t), acknowledged[t], sent[t], random);
        sent[t] = acknowledged[t]; // written again: the same documents
      }
      Smoke.OUT.println("kill " + (i + 1) + ": of each type " + acknowledged[0] + " documents");
    }
  }

  private void write(Node node, int[] acknowledged, int[] sent, Random random)
      throws IOException, InterruptedException {
    while (true) {
      for (int t = 0; t < sent.length; t++) {
        String index = "/" + types.get(t);
        sent[t] = acknowledged[t] + 50;
        HttpResponse<String> response = bulk(node, types.get(t), acknowledged[t], sent[t]);
        if (response.statusCode() == 200 && response.body().contains("\"errors\":false")) {
          acknowledged[t] = sent[t];
        }
        switch (random.nextInt(8)) {
          case 0, 1 -> node.send("POST", index + "/_refresh", "");
          case 2 -> node.send("POST", index + "/_flush", "");
          case 3 -> node.send("POST", index + "/_forcemerge?max_num_segments=1", "");
          default -> {}
        }
      }
    }
  }

  private void requireAcknowledged(
      Node node, String index, int acknowledged, int sent, Random random)
      throws IOException, InterruptedException {
    node.call("POST", "/" + index + "/_refresh", "");
    String counted =
        node.call(
            "POST",
            "/" + index + "/_count",
            "{\"query\": {\"range\": {\"n\": {\"lt\": " + acknowledged + "}}}}");
    Smoke.require(index, counted, "\"count\":" + acknowledged + ",");
    String all = node.call("GET", "/" + index + "/_count", "");
    MatchResult found =
        Pattern.compile("\"count\":(\\d+)").matcher(all).results().findFirst().orElseThrow();
    if (Integer.parseInt(found.group(1)) > sent) {
      throw new AssertionError(index + ": " + all + " of " + sent);
    }
    for (int i = 0; i < 5 && acknowledged > 0; i++) {
      int document = random.nextInt(acknowledged);
      for (String field : fields.keySet()) {
        List<Integer> hits = search(node, index, field, vector(document));
        if (!hits.contains(document)) {
          throw new AssertionError(index + ": no " + document + " by " + field + ": " + hits);
        }
      }
    }
  }
}
