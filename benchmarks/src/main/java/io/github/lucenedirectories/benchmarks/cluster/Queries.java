// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

/** Picks queries from a sample of the documents, which it is shown one by one. For one thread. */
final class Queries {
  /** Where queries are sent: no cache answers them, nor only some of the shards. */
  static final String PATH =
      ClusterIndex.NAME + "/_search?request_cache=false&allow_partial_search_results=false";

  private static final int MOST_DOCUMENTS = 2_000;
  private static final int LEAST_LETTERS = 3;

  /* A word that is asked for is in so many of the sampled documents. */
  private static final double LEAST_SHARE = 0.002;
  private static final double MOST_SHARE = 0.2;

  private static final int MOST_TRIES = 10; // for each query

  private static final Map<String, String> KINDS = new LinkedHashMap<>();

  static {
    String term = "{\"term\": {\"body\": \"%1$s\"}}";
    KINDS.put("Term", "{\"query\": " + term + ", \"_source\": false}");
    KINDS.put(
        "Conjunction",
        "{\"query\": {\"bool\": {\"must\": ["
            + term
            + ", {\"term\": {\"body\": \"%2$s\"}}]}}, \"_source\": false}");
    KINDS.put(
        "Phrase", "{\"query\": {\"match_phrase\": {\"body\": \"%3$s\"}}, \"_source\": false}");
    KINDS.put(
        "SortedByDate",
        "{\"query\": "
            + term
            + ", \"sort\": [{\"lastmod\": \"desc\"}, {\"n\": \"asc\"}], \"_source\": false}");
    KINDS.put(
        "TermsAggregation",
        "{\"query\": "
            + term
            + ", \"size\": 0, \"aggs\": {\"days\": {\"terms\": {\"field\": \"day\","
            + " \"size\": 20}}}}");
    KINDS.put("Fetch100", "{\"query\": " + term + ", \"size\": 100}");
  }

  private final Random random;
  private final List<List<String>> sample = new ArrayList<>();
  private long seen;

  Queries(long seed) {
    random = new Random(seed);
  }

  static List<String> kinds() {
    return List.copyOf(KINDS.keySet());
  }

  void show(LineDocument line) {
    seen++;
    // Each document is as likely to be in the sample as any other.
    if (sample.size() < MOST_DOCUMENTS) {
      sample.add(Fields.words(line.body()));
    } else {
      long place = random.nextLong(seen);
      if (place < MOST_DOCUMENTS) {
        sample.set((int) place, Fields.words(line.body()));
      }
    }
  }

  /** So many queries of each kind. */
  Map<String, List<String>> pick(int count) throws IOException {
    Map<String, Integer> documents = new HashMap<>();
    sample.forEach(words -> new TreeSet<>(words).forEach(w -> documents.merge(w, 1, Integer::sum)));
    Map<String, List<String>> picked = new LinkedHashMap<>();
    int found = 0;
    for (int tries = 0; found < count; tries++) {
      if (tries == count * MOST_TRIES) {
        throw new IOException("the text has too few words to ask for");
      }
      List<String> words = sample.get(random.nextInt(sample.size()));
      List<String> fair =
          words.stream().filter(word -> isFair(word, documents)).distinct().toList();
      if (fair.size() >= 2) {
        found++;
        int first = random.nextInt(fair.size());
        int second = (first + 1 + random.nextInt(fair.size() - 1)) % fair.size();
        int at = random.nextInt(words.size() - 1);
        String pair = words.get(at) + " " + words.get(at + 1);
        KINDS.forEach(
            (kind, query) ->
                picked
                    .computeIfAbsent(kind, _ -> new ArrayList<>())
                    .add(
                        String.format(
                            Locale.ROOT, query, fair.get(first), fair.get(second), pair)));
      }
    }
    return picked;
  }

  private boolean isFair(String word, Map<String, Integer> documents) {
    double share = (double) documents.getOrDefault(word, 0) / sample.size();
    return word.length() >= LEAST_LETTERS
        && word.chars().allMatch(Character::isLetter)
        && share >= LEAST_SHARE
        && share <= MOST_SHARE;
  }

  /** What must be the same on all types: how many hits, which, and all else by its hash. */
  static String answer(JsonNode found) {
    List<String> ids = new ArrayList<>();
    StringBuilder rest = new StringBuilder();
    for (JsonNode hit : found.at("/hits/hits")) {
      ids.add(hit.path("_id").asText());
      rest.append(hit.path("_source")).append(hit.path("sort")).append(hit.path("_score"));
    }
    rest.append(found.path("aggregations"));
    return found.at("/hits/total/value")
        + " hits, ids "
        + String.join(" ", ids)
        + ", content "
        + Integer.toHexString(rest.toString().hashCode());
  }
}
