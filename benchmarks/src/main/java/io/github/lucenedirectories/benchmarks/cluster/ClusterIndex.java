// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The indexes of a cluster: one of text, one of vectors. Only their type changes from one
 * measurement to the next, while they are closed: all types read the same files. For one thread.
 */
final class ClusterIndex {
  static final String TEXT = "text";
  static final String VECTORS = "vectors";
  static final int DIMENSIONS = 768;

  private static final String BOTH = TEXT + "," + VECTORS;
  private static final int BULK_BYTES = 2 << 20;
  private static final String TEXT_MAPPINGS =
      """
      {"properties": {"body": {"type": "text"}, "title": {"type": "keyword"},
      "day": {"type": "keyword"}, "lastmod": {"type": "date"}, "n": {"type": "integer"}}}
      """;
  private static final String VECTOR_MAPPINGS =
      """
      {"_source": {"enabled": false}, "properties": {"vector": {"type": "vector"}}}
      """;

  private final Nodes nodes;
  private final Rest rest;

  ClusterIndex(Nodes nodes) {
    this.nodes = nodes;
    this.rest = nodes.rest();
  }

  /** Creates an index of text in two shards; {@code settings} are more of them, in JSON. */
  static void create(Rest rest, String name, String type, int replicas, String settings)
      throws IOException {
    create(rest, name, type, replicas, settings, TEXT_MAPPINGS);
  }

  private static void create(
      Rest rest, String name, String type, int replicas, String settings, String mappings)
      throws IOException {
    rest.call(
        "PUT",
        name,
        String.format(
            Locale.ROOT,
            """
        {"settings": {"number_of_shards": 2, "number_of_replicas": %d, "store.type": "%s",
        "queries.cache.enabled": false%s}, "mappings": %s}
        """,
            replicas,
            type,
            settings,
            mappings));
  }

  /**
   * Indexes a text and vectors, merges each shard into one segment, and only then copies the
   * shards: copies have the same files, so that each answers alike. The indexes are closed then.
   */
  void build(
      Corpus corpus, Consumer<LineDocument> also, List<float[]> vectors, String type, int replicas)
      throws IOException {
    String settings = ", \"refresh_interval\": \"-1\"";
    create(rest, TEXT, type, 0, settings, TEXT_MAPPINGS);
    create(rest, VECTORS, type, 0, settings, VECTOR_MAPPINGS);
    StringBuilder bulk = new StringBuilder();
    int[] documents = {0};
    corpus.forEach(
        line -> {
          also.accept(line);
          append(bulk, documents[0]++, line);
          send(TEXT, bulk, BULK_BYTES);
        });
    send(TEXT, bulk, 1);
    for (int i = 0; i < vectors.size(); i++) {
      bulk.append("{\"index\": {\"_id\": \"").append(i).append("\"}}\n{\"vector\": \"");
      bulk.append(text(vectors.get(i))).append("\"}\n");
      send(VECTORS, bulk, BULK_BYTES);
    }
    send(VECTORS, bulk, 1);
    rest.call("POST", BOTH + "/_forcemerge?max_num_segments=1", "");
    rest.call("POST", BOTH + "/_flush?force=true&wait_if_ongoing=true", "");
    rest.call("PUT", BOTH + "/_settings", "{\"number_of_replicas\": " + replicas + "}");
    nodes.awaitHealth(0, "wait_for_status=green&wait_for_no_initializing_shards=true");
  }

  /** The bytes of the shards on each node, by its number, while the indexes are open. */
  long[] bytes() throws IOException {
    long[] bytes = new long[Nodes.COUNT];
    String path = "_cat/shards/" + BOTH + "?format=json&bytes=b&h=node,store";
    for (JsonNode shard : rest.call("GET", path, "")) {
      bytes[Nodes.number(shard.path("node").asText())] += shard.path("store").asLong();
    }
    return bytes;
  }

  /** A vector as a request has it. */
  static String text(float[] vector) {
    ByteBuffer bytes = ByteBuffer.allocate(vector.length * Float.BYTES);
    bytes.asFloatBuffer().put(vector);
    return Base64.getEncoder().encodeToString(bytes.array());
  }

  /** Sends a bulk request if it has at least so many characters. */
  private void send(String index, StringBuilder bulk, int least) throws IOException {
    if (bulk.length() >= least) {
      JsonNode answer = rest.call("POST", index + "/_bulk", bulk.toString());
      if (answer.path("errors").asBoolean(true)) {
        throw new IOException("not indexed: " + Numbers.text("%.500s", answer));
      }
      bulk.setLength(0);
    }
  }

  /** Appends a document to a bulk request, its number its id. */
  static void append(StringBuilder bulk, int number, LineDocument line) {
    ObjectNode source = Fork.MAPPER.createObjectNode();
    source.put("n", number);
    source.put("title", line.title());
    source.put("lastmod", line.epochMillis());
    source.put("day", Instant.ofEpochMilli(line.epochMillis()).toString().substring(0, 10));
    source.put("body", line.body());
    bulk.append("{\"index\": {\"_id\": \"").append(number).append("\"}}\n");
    bulk.append(source).append('\n');
  }

  /** Opens them with a type, and waits until every shard and copy can be searched. */
  void open(String type) throws IOException {
    rest.call("PUT", BOTH + "/_settings", "{\"index.store.type\": \"" + type + "\"}");
    rest.call("POST", BOTH + "/_open?wait_for_active_shards=all&timeout=120s", "");
    nodes.awaitHealth(0, "wait_for_status=green");
  }

  void close() throws IOException {
    rest.call("POST", BOTH + "/_close", "");
    nodes.awaitHealth(0, "wait_for_status=green");
  }
}
