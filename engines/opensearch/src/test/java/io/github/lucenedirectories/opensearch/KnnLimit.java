// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Measures searches of vectors with memory for half of them, with each store type beside the node's
 * own. Needs root, and a machine without other work. One index of engine {@code lucene} is made
 * with the node's own type and restored into each of the others. Then each has its turns: a new
 * node in a {@link MemoryGroup}, all other indexes closed, and none of them in the page cache.
 * {@code -Ddocuments}, {@code -Drounds}, {@code -Dseconds} of one measurement, and {@code -Dseed}
 * change the run.
 */
@SuppressForbidden(reason = "a command prints")
final class KnnLimit {

  private static final int DOCUMENTS = Integer.getInteger("documents", 65_536);
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int SECONDS = Integer.getInteger("seconds", 10);
  private static final long SEED = Long.getLong("seed", 1);
  private static final int BULK = 512;
  private static final int K = 10;
  private static final List<Integer> CLIENTS = List.of(1, 8);

  /** The numbers of the vectors whose hits are compared; those of the rounds follow. */
  private static final List<Integer> COMPARED =
      IntStream.range(DOCUMENTS, DOCUMENTS + 20).boxed().toList();

  /** Of a round, the same for each type. */
  private static final int QUERIES = 20_000;

  /** Bytes of the raw vectors. */
  private static final long RAW = 4L * ClusteredVectors.DIMENSIONS * DOCUMENTS;

  private final ClusteredVectors vectors = new ClusteredVectors(SEED);
  private final List<String> types = new ArrayList<>(List.of("hybridfs"));
  private final Node node;
  private final MemoryGroup group;

  /** By type and clients, one of each round. */
  private final Map<String, List<KnnLoad>> loads = new HashMap<>();

  private List<List<Integer>> expected = List.of();

  KnnLimit(Path home) throws IOException, InterruptedException {
    for (StoreType type : StoreType.values()) {
      if (type == StoreType.RAM) {
        Smoke.OUT.println("left out: " + type.key + ", which keeps all in memory");
      } else {
        types.add(type.key);
      }
    }
    // The block cache gets most of what the other types have as page cache.
    String settings = "directories.cache.size: " + RAW * 4 / 10 + "b\n";
    String[] options = {"-XX:+AlwaysPreTouch", "-XX:+UseG1GC", "-Djava.library.path="};
    node = new Node(home, home.resolveSibling("limit"), settings, options);
    group = new MemoryGroup(node);
  }

  void run() throws IOException, InterruptedException {
    Smoke.attempt(node, this::build);
    long[] used = new long[1];
    turn("hybridfs", () -> used[0] = used());
    group.limit(used[0] + RAW / 2);
    List<String> order = new ArrayList<>(types);
    for (int round = 0; round < ROUNDS; round++) {
      List<String> queries = queries(round);
      Collections.shuffle(order, new Random(SEED + round));
      for (String type : order) {
        turn(type, () -> measure(type, queries));
      }
    }
    print(used[0]);
  }

  private List<String> queries(int round) {
    int from = DOCUMENTS + COMPARED.size() + round * QUERIES;
    return IntStream.range(from, from + QUERIES).mapToObj(vectors::text).toList();
  }

  private void build() throws IOException, InterruptedException {
    node.call(
        "PUT",
        "/hybridfs",
        """
        {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "store.type": "hybridfs",
        "refresh_interval": -1, "knn": true},
        "mappings": {"_source": {"excludes": ["v"], "recovery_source_excludes": ["v"]},
        "properties": {"v": {"type": "knn_vector", "dimension": %s, "space_type": "l2",
        "method": {"name": "hnsw", "engine": "lucene"}}}}}
        """
            .formatted(ClusteredVectors.DIMENSIONS));
    for (int from = 0; from < DOCUMENTS; from += BULK) {
      StringBuilder lines = new StringBuilder();
      for (int i = from; i < Math.min(from + BULK, DOCUMENTS); i++) {
        lines.append("{\"index\": {\"_id\": \"").append(i).append("\"}}\n");
        lines.append("{\"v\": ").append(vectors.text(i)).append("}\n");
      }
      String written = node.call("POST", "/hybridfs/_bulk", lines.toString());
      Smoke.require("bulk", written, "\"errors\":false");
    }
    node.call("POST", "/hybridfs/_forcemerge?max_num_segments=1", "");
    String folder =
        "{\"type\": \"fs\", \"settings\": {\"location\": \"" + node.snapshots() + "\"}}";
    node.call("PUT", "/_snapshot/limit", folder);
    node.call("PUT", "/_snapshot/limit/one?wait_for_completion=true", "");
    Smoke.OUT.println(node.call("GET", "/_cat/segments?v", ""));
    node.call("POST", "/hybridfs/_close", "");
    for (String type : types.subList(1, types.size())) {
      String restored =
          node.call(
              "POST",
              "/_snapshot/limit/one/_restore?wait_for_completion=true",
              """
              {"indices": "hybridfs", "rename_pattern": ".+", "rename_replacement": "%1$s",
              "index_settings": {"index.store.type": "%1$s"}}
              """
                  .formatted(type));
      Smoke.require("restored", restored, "\"failed\":0");
      node.call("POST", "/" + type + "/_close", "");
    }
  }

  private void turn(String type, Smoke.Part part) throws IOException, InterruptedException {
    String data = node.data().toString();
    Node.execute("sync", "-f", data);
    String drop = "find \"$0\" -type f -exec dd if={} iflag=nocache count=0 status=none ';'";
    Node.execute("/bin/sh", "-c", drop, data);
    group.drop();
    Smoke.attempt(
        node,
        () -> {
          node.call("POST", "/" + type + "/_open?wait_for_active_shards=1", "");
          part.run();
          node.call("POST", "/" + type + "/_close", "");
        });
  }

  /** What the group needs without page cache, in bytes: after searches, which need some, too. */
  private long used() throws IOException, InterruptedException {
    expected = hits("hybridfs");
    load("hybridfs", 8, 2 * SECONDS, queries(0), new AtomicInteger());
    return group.drop();
  }

  private void measure(String type, List<String> queries) throws IOException, InterruptedException {
    if (!hits(type).equals(expected)) {
      throw new AssertionError(type + ": other hits than hybridfs");
    }
    AtomicInteger next = new AtomicInteger();
    for (int clients : CLIENTS) {
      // Two windows are alike, or it has taken six times as long as a measurement.
      double before = load(type, clients, SECONDS / 2.0, queries, next).rate();
      double now = load(type, clients, SECONDS / 2.0, queries, next).rate();
      int windows = 2;
      for (; Math.abs(now / before - 1) > 0.1 && windows < 12; windows++) {
        before = now;
        now = load(type, clients, SECONDS / 2.0, queries, next).rate();
      }
      KnnLoad load = load(type, clients, SECONDS, queries, next);
      loads.computeIfAbsent(type + clients, _ -> new ArrayList<>()).add(load);
      Smoke.OUT.println(type + ", " + clients + " clients, after " + windows + " windows: " + load);
    }
  }

  private KnnLoad load(
      String type, int clients, double seconds, List<String> queries, AtomicInteger next)
      throws IOException, InterruptedException {
    return KnnLoad.of(
        clients,
        seconds,
        group,
        node.pid(),
        () -> search(type, queries.get(next.getAndIncrement() % QUERIES)));
  }

  private List<List<Integer>> hits(String type) throws IOException, InterruptedException {
    List<List<Integer>> all = new ArrayList<>();
    for (int number : COMPARED) {
      all.add(search(type, vectors.text(number)));
    }
    return all;
  }

  private List<Integer> search(String type, String vector)
      throws IOException, InterruptedException {
    String found =
        node.call(
            "POST",
            "/" + type + "/_search?filter_path=hits.hits._id,_shards",
            """
            {"size": %1$s, "_source": false, "query": {"knn": {"v": {"vector": %2$s, "k": %1$s,
            "method_parameters": {"ef_search": 100}}}}}
            """
                .formatted(K, vector));
    Smoke.require(type, found, "\"failed\":0");
    return Knn.ID.matcher(found).results().map(hit -> Integer.valueOf(hit.group(1))).toList();
  }

  private void print(long used) throws IOException, InterruptedException {
    double found = 0;
    for (int i = 0; i < COMPARED.size(); i++) {
      Set<Integer> right = vectors.nearest(COMPARED.get(i), DOCUMENTS, K);
      right.retainAll(new HashSet<>(expected.get(i)));
      found += right.size();
    }
    Smoke.OUT.printf(
        Locale.ROOT,
        "%n%,d vectors of %d dimensions, raw %.1f MB. Memory: %.1f MB for heap and JVM, and half of"
            + " the vectors' bytes. %d rounds of %d s, seed %d. Recall %.3f, hits of all types equal."
            + " Medians (least to most); reads are those of the device by all processes.%n%n%s",
        DOCUMENTS,
        ClusteredVectors.DIMENSIONS,
        RAW / 1e6,
        used / 1e6,
        ROUNDS,
        SECONDS,
        SEED,
        found / COMPARED.size() / K,
        KnnLoad.HEAD);
    for (int clients : CLIENTS) {
      List<KnnLoad> base = loads.get("hybridfs" + clients);
      for (String type : types) {
        Smoke.OUT.println(KnnLoad.line(type, clients, loads.get(type + clients), base));
      }
    }
    try (Stream<Path> files = Files.walk(node.data())) {
      Path file = files.filter(path -> path.toString().endsWith(".vec")).findFirst().orElseThrow();
      for (int threads : List.of(1, 4, 8)) {
        Smoke.OUT.printf(
            Locale.ROOT,
            "%nThe device itself, pages of 4 KiB, %d threads: %,.0f reads/s",
            threads,
            KnnLoad.pages(file, threads));
      }
      Smoke.OUT.println();
    }
  }
}
