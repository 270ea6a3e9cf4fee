// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.stream.IntStream;

/** Writes documents to indexes of a node, and searches them. */
record Documents(Node node) {

  /** How many a request writes. */
  static final int BULK = 2_000;

  void index(String name, String type) throws IOException, InterruptedException {
    create(name, type);
    bulk(name, 0, "");
    node.call("POST", "/" + name + "/_flush", "");
    search(name, BULK);
    bulk(name, BULK, ""); // in the translog only
    search(name, 2 * BULK);
    node.call("POST", "/" + name + "/_forcemerge?max_num_segments=1", "");
    search(name, 2 * BULK);
  }

  void create(String name, String type) throws IOException, InterruptedException {
    node.call(
        "PUT",
        "/" + name,
        """
        {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "store.type": "TYPE"},
        "mappings": {"properties": {"body": {"type": "text"}, "n": {"type": "integer"}}}}
        """
            .replace("TYPE", type));
  }

  HttpResponse<String> tryBulk(String name, int from, String filler)
      throws IOException, InterruptedException {
    return tryBulk(name, from, filler, true);
  }

  private HttpResponse<String> tryBulk(String name, int from, String filler, boolean refresh)
      throws IOException, InterruptedException {
    StringBuilder lines = new StringBuilder();
    for (int i = from; i < from + BULK; i++) {
      lines.append("{\"index\": {\"_id\": \"").append(i).append("\"}}\n");
      lines.append(source(i, filler)).append('\n');
    }
    return node.send("POST", "/" + name + "/_bulk?timeout=2s&refresh=" + refresh, lines.toString());
  }

  private static String source(int i, String filler) {
    return String.format(
        Locale.ROOT,
        "{\"body\":\"document %s %s%d %d\",\"n\":%d}",
        i % 2 == 0 ? "even" : "odd",
        filler,
        i * 7919L,
        filler.hashCode() * (long) i,
        i);
  }

  /** Acknowledged, but not searchable yet. */
  void bulkWithoutRefresh(String name, int from) throws IOException, InterruptedException {
    Smoke.require("bulk", tryBulk(name, from, "", false).body(), "\"errors\":false");
  }

  void bulk(String name, int from, String filler) throws IOException, InterruptedException {
    HttpResponse<String> response = tryBulk(name, from, filler);
    Smoke.require("bulk", response.body(), "\"errors\":false");
  }

  void search(String name, int documents) throws IOException, InterruptedException {
    String found =
        node.call(
            "POST",
            "/" + name + "/_search",
            """
            {"query": {"match": {"body": "odd"}}, "track_total_hits": true, "sort": [{"n": "desc"}],
            "size": 1}
            """);
    Smoke.require(name, found, "\"total\":\\{\"value\":" + documents / 2 + ",");
    Smoke.require(name, found, "\"_id\":\"" + (documents - 1) + "\"");
  }

  /** Requires that an index has these documents of {@link #bulk} with no filler, and no others. */
  void requireAll(String name, int documents) throws IOException, InterruptedException {
    String found =
        node.call(
            "POST",
            "/" + name + "/_search?filter_path=hits.hits._source",
            "{\"size\": 10000, \"sort\": [\"n\"]}");
    String all =
        IntStream.range(0, documents)
            .mapToObj(i -> "{\"_source\":" + source(i, "") + "}")
            .collect(joining(",", "{\"hits\":{\"hits\":[", "]}}"));
    if (!found.equals(all)) {
      throw new AssertionError(name + ": other documents than were written");
    }
  }
}
