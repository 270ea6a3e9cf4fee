// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.lucene.util.SuppressForbidden;
import org.apache.solr.common.SolrInputDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures soft commits, and replications to an empty follower and to one that has the last commit,
 * with each factory beside Solr's {@code NRTCachingDirectoryFactory}: in one process, in rounds
 * that take the factories in random order. Prints the ratios of medians, and of 99th percentiles,
 * to Solr's, with 95 % intervals over rounds; Solr's is there twice. Checks that all find the same.
 *
 * <p>{@code -Dmeasure=N} runs N rounds, {@code -Dseed=N} repeats text and order, {@code
 * -Ddocuments=N} sets how many documents there are before the first round (20,000).
 */
class Comparison {

  private static final List<String> FACTORIES =
      List.of(
          "solr.NRTCachingDirectoryFactory",
          "solr.NRTCachingDirectoryFactory",
          "NrtCacheDirectoryFactory",
          "HybridDirectoryFactory",
          "MappedDirectoryFactory",
          "NioDirectoryFactory");

  private static final int REOPENS = 20;
  private static final int ADDED = 5;
  private static final int WARM_UP_ROUNDS = 2;
  private static final int WORDS = 20_000;
  private static final int RESAMPLES = 2_000;

  private static final Logger WARNINGS = Logger.getLogger("io.opentelemetry");

  private final long seed = Long.getLong("seed", System.nanoTime());

  /** By what is measured, the samples of each factory in each round, in nanoseconds. */
  private final Map<String, List<List<double[]>>> samples = new LinkedHashMap<>();

  @Test
  @EnabledIfSystemProperty(named = "measure", matches = "\\d+")
  void measure(@TempDir Path folder) throws Exception {
    WARNINGS.setLevel(Level.OFF); // of Solr's own metrics, at each commit
    int rounds = Integer.getInteger("measure");
    Random random = new Random(seed);
    List<Integer> order = new ArrayList<>(IntStream.range(0, FACTORIES.size()).boxed().toList());
    try (Node leader = new Node(folder.resolve("leader"));
        Node follower = new Node(folder.resolve("follower"))) {
      int count = Integer.getInteger("documents", 20_000);
      for (int i : order) {
        for (Node node : List.of(leader, follower)) {
          node.create("core" + i, Node.factory(FACTORIES.get(i)));
        }
        for (int from = 0; from < count; from += 500) {
          leader.add("core" + i, documents(from, Math.min(count, from + 500)));
        }
        leader.commit("core" + i);
        fetch(leader, follower, "core" + i, "core" + i);
      }
      for (int round = -WARM_UP_ROUNDS; round < rounds; round++) {
        Collections.shuffle(order, random);
        List<List<Object>> found = new ArrayList<>();
        for (int i : order) {
          found.add(round(leader, follower, i, count, round >= 0));
        }
        count += REOPENS * ADDED;
        assertEquals(Collections.nCopies(found.size(), found.getFirst()), found, "-Dseed=" + seed);
      }
    }
    print(rounds);
  }

  private List<Object> round(Node leader, Node follower, int factory, int count, boolean measured)
      throws Exception {
    String core = "core" + factory;
    List<Object> found = new ArrayList<>();
    double[] reopens = new double[REOPENS];
    for (int i = 0; i < REOPENS; i++) {
      int from = count + i * ADDED;
      leader.add(core, documents(from, from + ADDED));
      long start = System.nanoTime();
      leader.softCommit(core);
      reopens[i] = System.nanoTime() - start;
      found.add(leader.count(core, "*:*"));
      assertEquals((long) from + ADDED, found.getLast(), core);
    }
    leader.commit(core);
    String empty = "empty" + factory;
    follower.create(empty, Node.factory(FACTORIES.get(factory)));
    double whole = fetch(leader, follower, core, empty);
    double changes = fetch(leader, follower, core, core);
    for (int word = 1; word < WORDS; word *= 3) {
      List<Object> best = leader.best(core, "body:w" + word);
      assertEquals(best, follower.best(empty, "body:w" + word), core);
      assertEquals(best, follower.best(core, "body:w" + word), core);
      found.addAll(best);
    }
    follower.remove(empty);
    if (measured) {
      keep("soft commit", factory, reopens);
      keep("replication, whole", factory, whole);
      keep("replication, changes", factory, changes);
    }
    return found;
  }

  private static double fetch(Node leader, Node follower, String from, String to) throws Exception {
    long start = System.nanoTime();
    follower.replication(
        to, "command", "fetchindex", "leaderUrl", leader.address(from), "wait", "true");
    double nanos = System.nanoTime() - start;
    assertEquals(leader.count(from, "*:*"), follower.count(to, "*:*"), from);
    return nanos;
  }

  /** Words by Zipf's law: the logarithm of the rank is uniform. */
  private List<SolrInputDocument> documents(int from, int to) {
    List<SolrInputDocument> documents = new ArrayList<>();
    for (int id = from; id < to; id++) {
      Random random = new Random(seed + id);
      StringBuilder body = new StringBuilder();
      for (int left = 1 + random.nextInt(400); left > 0; left--) {
        body.append('w').append((int) Math.pow(WORDS, random.nextDouble())).append(' ');
      }
      SolrInputDocument document = new SolrInputDocument();
      document.addField("id", String.valueOf(id));
      document.addField("body", body.toString());
      documents.add(document);
    }
    return documents;
  }

  private void keep(String what, int factory, double... nanos) {
    samples
        .computeIfAbsent(
            what, _ -> FACTORIES.stream().<List<double[]>>map(_ -> new ArrayList<>()).toList())
        .get(factory)
        .add(nanos);
  }

  @SuppressForbidden(reason = "prints its result")
  private void print(int rounds) {
    System.out.printf("%d rounds, -Dseed=%d%n", rounds, seed);
    samples.forEach(
        (what, byFactory) -> {
          for (double quantile : List.of(0.5, 0.99).subList(0, what.startsWith("soft") ? 2 : 1)) {
            int[] all = IntStream.range(0, rounds).toArray();
            for (int i = 0; i < FACTORIES.size(); i++) {
              List<double[]> own = byFactory.get(i);
              List<double[]> solr = byFactory.getFirst();
              Random random = new Random(seed);
              double[] ratios = new double[RESAMPLES];
              for (int j = 0; j < RESAMPLES; j++) {
                int[] drawn = random.ints(rounds, 0, rounds).toArray();
                ratios[j] = quantile(own, drawn, quantile) / quantile(solr, drawn, quantile);
              }
              Arrays.sort(ratios);
              System.out.printf(
                  Locale.ROOT,
                  "%-20s p%.0f  %-34s %8.2f ms  %.3f [%.3f, %.3f]%n",
                  what,
                  quantile * 100,
                  FACTORIES.get(i),
                  quantile(own, all, quantile) / 1e6,
                  quantile(own, all, quantile) / quantile(solr, all, quantile),
                  ratios[RESAMPLES / 40],
                  ratios[RESAMPLES - 1 - RESAMPLES / 40]);
            }
          }
        });
  }

  /** Of all samples of some rounds. */
  private static double quantile(List<double[]> byRound, int[] rounds, double quantile) {
    double[] all =
        Arrays.stream(rounds)
            .mapToObj(byRound::get)
            .flatMapToDouble(Arrays::stream)
            .sorted()
            .toArray();
    return all[(int) (quantile * (all.length - 1) + 0.5)];
  }
}
