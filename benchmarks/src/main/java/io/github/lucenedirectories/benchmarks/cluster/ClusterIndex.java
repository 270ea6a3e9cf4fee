// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import io.github.lucenedirectories.benchmarks.harness.Fork;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The index of a cluster, in two shards. Only its type changes from one measurement to the next,
 * while it is closed: all types read the same files. For one thread.
 */
final class ClusterIndex {
  static final String NAME = "text";

  private static final int BULK_BYTES = 2 << 20;
  private static final String MAPPINGS =
      """
      {"properties": {"body": {"type": "text"}, "title": {"type": "keyword"},
      "day": {"type": "keyword"}, "lastmod": {"type": "date"}, "n": {"type": "integer"}}}
      """;
  private final Nodes nodes;
  private final Rest rest;

  ClusterIndex(Nodes nodes) {
    this.nodes = nodes;
    this.rest = nodes.rest();
  }

  /**
   * Indexes a text, merges each shard into one segment, and only then copies the shards: copies
   * have the same files, so that each answers alike. The index is closed then.
   */
  void build(Corpus corpus, Consumer<LineDocument> also, String type, int replicas)
      throws IOException {
    rest.call(
        "PUT",
        NAME,
        String.format(
            Locale.ROOT,
            """
        {"settings": {"number_of_shards": 2, "number_of_replicas": 0, "store.type": "%s",
        "queries.cache.enabled": false, "refresh_interval": "-1"}, "mappings": %s}
        """,
            type,
            MAPPINGS));
    StringBuilder bulk = new StringBuilder();
    int[] documents = {0};
    corpus.forEach(
        line -> {
          also.accept(line);
          append(bulk, documents[0]++, line);
          send(bulk, BULK_BYTES);
        });
    send(bulk, 1);
    rest.call("POST", NAME + "/_forcemerge?max_num_segments=1", "");
    rest.call("POST", NAME + "/_flush?force=true&wait_if_ongoing=true", "");
    rest.call("PUT", NAME + "/_settings", "{\"number_of_replicas\": " + replicas + "}");
    nodes.awaitHealth(0, "wait_for_status=green&wait_for_no_initializing_shards=true");
  }

  /** The bytes of the shards on each node, by its number, while it is open. */
  long[] bytes() throws IOException {
    long[] bytes = new long[Nodes.COUNT];
    String path = "_cat/shards/" + NAME + "?format=json&bytes=b&h=node,store";
    for (JsonNode shard : rest.call("GET", path, "")) {
      bytes[Nodes.number(shard.path("node").asText())] += shard.path("store").asLong();
    }
    return bytes;
  }

  /** Sends a bulk request if it has at least so many characters. */
  private void send(StringBuilder bulk, int least) throws IOException {
    if (bulk.length() >= least) {
      JsonNode answer = rest.call("POST", NAME + "/_bulk", bulk.toString());
      if (answer.path("errors").asBoolean(true)) {
        throw new IOException("not indexed: " + Numbers.text("%.500s", answer));
      }
      bulk.setLength(0);
    }
  }

  /** Appends a document to a bulk request, its number its id. */
  private static void append(StringBuilder bulk, int number, LineDocument line) {
    ObjectNode source = Fork.MAPPER.createObjectNode();
    source.put("n", number);
    source.put("title", line.title());
    source.put("lastmod", line.epochMillis());
    source.put("day", Instant.ofEpochMilli(line.epochMillis()).toString().substring(0, 10));
    source.put("body", line.body());
    bulk.append("{\"index\": {\"_id\": \"").append(number).append("\"}}\n");
    bulk.append(source).append('\n');
  }

  /** Opens it with a type, and waits until every shard and copy can be searched. */
  void open(String type) throws IOException {
    rest.call("PUT", NAME + "/_settings", "{\"index.store.type\": \"" + type + "\"}");
    rest.call("POST", NAME + "/_open?wait_for_active_shards=all&timeout=120s", "");
    nodes.awaitHealth(0, "wait_for_status=green");
  }

  void close() throws IOException {
    rest.call("POST", NAME + "/_close", "");
    nodes.awaitHealth(0, "wait_for_status=green");
  }
}
