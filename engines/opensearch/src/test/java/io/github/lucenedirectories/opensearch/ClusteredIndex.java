// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Vectors of engine {@code lucene} in one segment, and memory for half of them. {@code -Ddocuments}
 * is their number.
 */
final class ClusteredIndex extends LimitedIndex {

  private static final int DOCUMENTS = Integer.getInteger("documents", 65_536);

  /** Those of the raw vectors. */
  private static final long BYTES = 4L * ClusteredVectors.DIMENSIONS * DOCUMENTS;

  private static final int BULK = 512;
  private static final int K = 10;

  /** The numbers of the vectors whose hits are compared; those of the rounds follow. */
  private static final List<Integer> COMPARED =
      IntStream.range(DOCUMENTS, DOCUMENTS + 20).boxed().toList();

  /** Of a round. */
  private static final int QUERIES = 20_000;

  private final ClusteredVectors vectors;

  /** Those of one round, which take seconds to make. */
  private List<String> queries = List.of();

  private int queriesOf = -1;

  ClusteredIndex(Node node, long seed) {
    super(node);
    vectors = new ClusteredVectors(seed);
  }

  @Override
  void make() throws IOException, InterruptedException {
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
  }

  @Override
  long pageCacheBytes() {
    return BYTES / 2;
  }

  @Override
  List<Kind> kinds() {
    return List.of(new Kind(1, K), new Kind(8, K));
  }

  /** Vectors as text. */
  @Override
  List<String> queries(Kind kind, int round) {
    if (round != queriesOf) {
      int from = DOCUMENTS + COMPARED.size() + round * QUERIES;
      queries = IntStream.range(from, from + QUERIES).mapToObj(vectors::text).toList();
      queriesOf = round;
    }
    return queries;
  }

  @Override
  List<List<Integer>> compared(String type) throws IOException, InterruptedException {
    List<List<Integer>> all = new ArrayList<>();
    for (int number : COMPARED) {
      String found = search(type, new Kind(1, K), vectors.text(number));
      all.add(Knn.ID.matcher(found).results().map(hit -> Integer.valueOf(hit.group(1))).toList());
    }
    return all;
  }

  @Override
  String search(String type, Kind kind, String vector) throws IOException, InterruptedException {
    String found =
        node.call(
            "POST",
            "/" + type + "/_search?filter_path=hits.hits._id,_shards",
            """
            {"size": %1$s, "_source": false, "query": {"knn": {"v": {"vector": %2$s, "k": %1$s,
            "method_parameters": {"ef_search": 100}}}}}
            """
                .formatted(kind.hits(), vector));
    Smoke.require(type, found, "\"failed\":0");
    return found;
  }

  @Override
  String describe() throws IOException, InterruptedException {
    return String.format(
        Locale.ROOT,
        "%,d vectors of %d dimensions, raw %.1f MB; recall %.3f.",
        DOCUMENTS,
        ClusteredVectors.DIMENSIONS,
        BYTES / 1e6,
        recall(compared("hybridfs")));
  }

  /** The share of the true neighbours in hits of this index. */
  private double recall(List<List<Integer>> hits) {
    double found = 0;
    for (int i = 0; i < COMPARED.size(); i++) {
      Set<Integer> right = vectors.nearest(COMPARED.get(i), DOCUMENTS, K);
      right.retainAll(new HashSet<>(hits.get(i)));
      found += right.size();
    }
    return found / COMPARED.size() / K;
  }

  @Override
  String limitedExtension() {
    return ".vec";
  }
}
