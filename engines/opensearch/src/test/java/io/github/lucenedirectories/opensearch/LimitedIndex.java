// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * An index that is larger than the memory, in as many copies as there are store types, each named
 * like its type. Any thread may search.
 */
abstract class LimitedIndex {

  /** What is measured: clients that search one after another, and how many hits they ask for. */
  record Kind(int clients, int hits) {}

  final Node node;

  LimitedIndex(Node node) {
    this.node = node;
  }

  /** Makes index {@code hybridfs}, of that type, in one segment. */
  abstract void make() throws IOException, InterruptedException;

  /** How much of it the page cache shall hold. */
  abstract long pageCacheBytes() throws IOException;

  abstract List<Kind> kinds();

  abstract List<String> queries(Kind kind, int round);

  /** Returns the answer of the node. */
  abstract String search(String type, Kind kind, String query)
      throws IOException, InterruptedException;

  /** What must be the same for each type. */
  abstract List<?> compared(String type) throws IOException, InterruptedException;

  abstract String describe() throws IOException, InterruptedException;

  /** That of the file which is larger than the memory. */
  abstract String limitedExtension();

  /** What is measured of a type: a type, or a type and what {@link #prepare} makes of it. */
  List<String> variants(String type) {
    return List.of(type);
  }

  /** Called before a variant is measured. */
  void prepare(String variant) throws IOException, InterruptedException {}

  /** Makes it with the first of the types, copies it, and closes all. */
  void build(List<String> types) throws IOException, InterruptedException {
    make();
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

  /** The largest such file, in one of the copies: all are the same. */
  Path file() throws IOException {
    try (Stream<Path> files = Files.walk(node.data())) {
      return files
          .filter(path -> path.toString().endsWith(limitedExtension()))
          .max(Comparator.comparing(path -> path.toFile().length()))
          .orElseThrow();
    }
  }

  /** How the file is read, and why. */
  String explain(String type) throws IOException, InterruptedException {
    String path = "/_directories/" + type + "/0/explain/" + file().getFileName();
    return node.call("GET", path, "").strip();
  }
}
