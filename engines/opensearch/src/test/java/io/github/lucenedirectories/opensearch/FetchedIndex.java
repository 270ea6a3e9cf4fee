// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Documents of some 3 KB of text, and memory for a quarter of them. Queries find 10, 100 or 1,000
 * documents from all over the index and fetch them; each type is measured as it comes, and with
 * {@code directories.fetch_prefetch}. {@code -Ddocuments} is their number, a power of two, and
 * {@code -Dhits} how many are fetched.
 */
final class FetchedIndex extends LimitedIndex {

  private static final int DOCUMENTS = Integer.getInteger("documents", 1 << 18);
  private static final int WORDS = 450;
  private static final int BULK = 2_000;
  private static final String PREFETCHED = " prefetched";

  private final long seed;
  private final List<String> vocabulary;

  FetchedIndex(Node node, long seed) {
    super(node);
    this.seed = seed;
    Random random = new Random(seed);
    vocabulary =
        IntStream.range(0, 30_000)
            .mapToObj(_ -> Integer.toString(random.nextInt(1 << 30) >>> random.nextInt(25), 36))
            .toList();
  }

  /** Frequent words and rare ones. */
  private String text(int document) {
    Random random = new Random(seed ^ document * 0x9E3779B97F4A7C15L);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      double rank = Math.pow(vocabulary.size(), random.nextDouble());
      text.append(vocabulary.get((int) rank - 1)).append(' ');
    }
    return text.toString();
  }

  /** Documents of one group lie all over the index. */
  private static int group(int document, int size) {
    return (int) (document * 0x9E3779B1L % DOCUMENTS) / size;
  }

  @Override
  void make() throws IOException, InterruptedException {
    StringBuilder groups = new StringBuilder();
    for (Kind kind : kinds()) {
      groups.append(", \"g").append(kind.hits()).append("\": {\"type\": \"integer\"}");
    }
    node.call(
        "PUT",
        "/hybridfs",
        """
        {"settings": {"number_of_shards": 1, "number_of_replicas": 0, "store.type": "hybridfs",
        "refresh_interval": -1}, "mappings": {"properties": {"text": {"type": "text",
        "index": false}%s}}}
        """
            .formatted(groups));
    for (int from = 0; from < DOCUMENTS; from += BULK) {
      StringBuilder lines = new StringBuilder();
      for (int i = from; i < Math.min(from + BULK, DOCUMENTS); i++) {
        lines.append("{\"index\": {\"_id\": \"").append(i).append("\"}}\n{\"text\": \"");
        lines.append(text(i)).append('"');
        for (Kind kind : kinds()) {
          lines.append(", \"g").append(kind.hits()).append("\": ").append(group(i, kind.hits()));
        }
        lines.append("}\n");
      }
      String written = node.call("POST", "/hybridfs/_bulk", lines.toString());
      Smoke.require("bulk", written, "\"errors\":false");
    }
    node.call("POST", "/hybridfs/_refresh", "");
    node.call("POST", "/hybridfs/_forcemerge?max_num_segments=1", "");
  }

  @Override
  long pageCacheBytes() throws IOException {
    return Files.size(file()) / 4;
  }

  @Override
  List<Kind> kinds() {
    return Pattern.compile(",")
        .splitAsStream(System.getProperty("hits", "10,100,1000"))
        .map(hits -> new Kind(1, Integer.parseInt(hits)))
        .toList();
  }

  /** Groups, in a random order. */
  @Override
  List<String> queries(Kind kind, int round) {
    return new Random(seed + round)
        .ints(20_000, 0, DOCUMENTS / kind.hits())
        .mapToObj(Integer::toString)
        .toList();
  }

  @Override
  String search(String type, Kind kind, String query) throws IOException, InterruptedException {
    String found =
        node.call(
            "POST",
            "/" + type + "/_search?filter_path=hits.hits._id,hits.hits._source,_shards",
            "{\"size\": %1$d, \"query\": {\"term\": {\"g%1$d\": %2$s}}}"
                .formatted(kind.hits(), query));
    Smoke.require(type, found, "\"failed\":0");
    return found;
  }

  @Override
  List<?> compared(String type) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>();
    for (Kind kind : kinds()) {
      String found = search(type, kind, "7");
      long hits = Knn.ID.matcher(found).results().count();
      if (hits != kind.hits()) {
        throw new AssertionError(type + ": " + hits + " hits of " + kind);
      }
      all.add(found);
    }
    return all;
  }

  @Override
  String describe() throws IOException {
    return String.format(
        Locale.ROOT, "%,d documents, %.1f MB stored.", DOCUMENTS, Files.size(file()) / 1e6);
  }

  @Override
  String limitedExtension() {
    return ".fdt";
  }

  @Override
  List<String> variants(String type) {
    return List.of(type, type + PREFETCHED);
  }

  @Override
  void prepare(String variant) throws IOException, InterruptedException {
    String value = variant.endsWith(PREFETCHED) ? "all" : "none";
    node.call(
        "PUT",
        "/_cluster/settings",
        "{\"transient\": {\"directories.fetch_prefetch\": \"" + value + "\"}}");
  }
}
