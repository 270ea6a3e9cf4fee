// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An index of vectors of engine {@code lucene} in one segment, in as many copies as there are store
 * types, each named like its type. {@code -Ddocuments} is its size. Any thread may search.
 */
final class ClusteredIndex {

  static final int DOCUMENTS = Integer.getInteger("documents", 65_536);

  /** Those of the raw vectors. */
  static final long BYTES = 4L * ClusteredVectors.DIMENSIONS * DOCUMENTS;

  private static final int BULK = 512;
  private static final int K = 10;

  /** The numbers of the vectors whose hits are compared; those of the rounds follow. */
  private static final List<Integer> COMPARED =
      IntStream.range(DOCUMENTS, DOCUMENTS + 20).boxed().toList();

  /** Of a round. */
  private static final int QUERIES = 20_000;

  private final Node node;
  private final ClusteredVectors vectors;

  ClusteredIndex(Node node, long seed) {
    this.node = node;
    vectors = new ClusteredVectors(seed);
  }

  /** Makes it with the first of the types, and closes it again. */
  void build(List<String> types) throws IOException, InterruptedException {
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
      if (from == 0) {
        node.call("POST", "/hybridfs/_refresh", ""); // two segments at least: a merge makes no .cfs
      }
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

  /** As text. */
  List<String> queries(int round) {
    int from = DOCUMENTS + COMPARED.size() + round * QUERIES;
    return IntStream.range(from, from + QUERIES).mapToObj(vectors::text).toList();
  }

  List<List<Integer>> hits(String type) throws IOException, InterruptedException {
    List<List<Integer>> all = new ArrayList<>();
    for (int number : COMPARED) {
      all.add(search(type, vectors.text(number)));
    }
    return all;
  }

  List<Integer> search(String type, String vector) throws IOException, InterruptedException {
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

  /** The share of the true neighbours in hits of this index. */
  double recall(List<List<Integer>> hits) {
    double found = 0;
    for (int i = 0; i < COMPARED.size(); i++) {
      Set<Integer> right = vectors.nearest(COMPARED.get(i), DOCUMENTS, K);
      right.retainAll(new HashSet<>(hits.get(i)));
      found += right.size();
    }
    return found / COMPARED.size() / K;
  }

  /** The raw vectors of one of the copies: all are the same. */
  Path file() throws IOException {
    try (Stream<Path> files = Files.walk(node.data())) {
      return files.filter(path -> path.toString().endsWith(".vec")).findFirst().orElseThrow();
    }
  }

  /** How the raw vectors are read, and why. */
  String explain(String type) throws IOException, InterruptedException {
    String path = "/_directories/" + type + "/0/explain/" + file().getFileName();
    return node.call("GET", path, "").strip();
  }
}
