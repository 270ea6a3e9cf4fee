// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.opensearch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Measures searches of vectors with memory for half of them, with each store type beside the node's
 * own. Needs root, and a machine without other work. One index of engine {@code lucene} is made
 * with the node's own type and restored into each of the others. Then each has its turns: a new
 * node in a {@link MemoryGroup}, all other indexes closed, and none of them in the page cache.
 * {@code -Ddocuments}, {@code -Drounds}, {@code -Dseconds} of one measurement, {@code -Dseed}, and
 * {@code -Dtypes}, a regular expression, change the run.
 */
@SuppressForbidden(reason = "a command prints")
final class KnnLimit {

  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int SECONDS = Integer.getInteger("seconds", 10);
  private static final long SEED = Long.getLong("seed", 1);

  /** Bytes that the JVM may have besides until the most has been compiled. */
  private static final long COMPILER = 128L << 20;

  /** Until it has given back what the compiler had. */
  private static final int TRIM_MILLIS = 3_000;

  private static final List<Integer> CLIENTS = List.of(1, 8);

  private final List<String> types = new ArrayList<>(List.of("hybridfs"));
  private final Node node;
  private final ClusteredIndex index;
  private final MemoryGroup group;

  /** By type and clients, one of each round. */
  private final Map<String, List<KnnLoad>> loads = new HashMap<>();

  private List<List<Integer>> expected = List.of();

  KnnLimit(Path home) throws IOException, InterruptedException {
    for (StoreType type : StoreType.values()) {
      if (type == StoreType.RAM) {
        Smoke.OUT.println("left out: " + type.key + ", which keeps all in memory");
      } else if (type.key.matches(System.getProperty("types", ".*"))) {
        types.add(type.key);
      }
    }
    // Half of what the others have as page cache, which gives way when the compiler needs memory.
    String settings = "directories.cache.size: " + ClusteredIndex.BYTES / 4 + "b\n";
    String[] options = {
      "-XX:+AlwaysPreTouch",
      "-XX:+UseG1GC",
      "-XX:TrimNativeHeapInterval=1000",
      "-Djava.library.path="
    };
    node = new Node(home, home.resolveSibling("limit"), settings, options);
    group = new MemoryGroup(node);
    index = new ClusteredIndex(node, SEED);
  }

  void run() throws IOException, InterruptedException {
    Smoke.attempt(node, () -> index.build(types));
    long[] used = new long[1];
    turn("hybridfs", () -> used[0] = used());
    long limit = used[0] + ClusteredIndex.BYTES / 2;
    List<String> order = new ArrayList<>(types);
    for (int round = 0; round < ROUNDS; round++) {
      List<String> queries = index.queries(round);
      Collections.shuffle(order, new Random(SEED + round));
      for (String type : order) {
        attempt(type, limit, queries);
      }
    }
    print(used[0]);
  }

  /** Up to three times, should the kernel kill the node at the limit. */
  private void attempt(String type, long limit, List<String> queries)
      throws IOException, InterruptedException {
    for (int attempts = 1; ; attempts++) {
      try {
        group.limit(limit + COMPILER);
        List<KnnLoad> measured = new ArrayList<>();
        turn(type, () -> measure(type, limit, queries, measured));
        for (int i = 0; i < measured.size(); i++) {
          String key = type + CLIENTS.get(i);
          loads.computeIfAbsent(key, _ -> new ArrayList<>()).add(measured.get(i));
        }
        return;
      } catch (IOException e) {
        if (attempts == 3) {
          throw e;
        }
        Smoke.OUT.println(type + ", again: " + e);
      }
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
    expected = index.hits("hybridfs");
    load("hybridfs", 8, 3 * SECONDS, index.queries(0), new AtomicInteger());
    Thread.sleep(TRIM_MILLIS);
    return group.drop();
  }

  private void measure(String type, long limit, List<String> queries, List<KnnLoad> measured)
      throws IOException, InterruptedException {
    if (!index.hits(type).equals(expected)) {
      throw new AssertionError(type + ": other hits than hybridfs");
    }
    AtomicInteger next = new AtomicInteger();
    load(type, 8, SECONDS, queries, next);
    Thread.sleep(TRIM_MILLIS);
    group.limit(limit);
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
      measured.add(load);
      Smoke.OUT.printf(
          Locale.ROOT,
          "%s, %d clients, after %d windows, page cache %.1f MB: %s%n",
          type,
          clients,
          windows,
          group.pageCache() / 1e6,
          load);
    }
    if (!type.equals("hybridfs")) {
      Smoke.OUT.println(index.explain(type));
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
        () -> index.search(type, queries.get(next.getAndIncrement() % queries.size())));
  }

  private void print(long used) throws IOException, InterruptedException {
    Smoke.OUT.printf(
        Locale.ROOT,
        "%n%,d vectors of %d dimensions, raw %.1f MB. Memory: %.1f MB for heap and JVM, and half of"
            + " the vectors' bytes, of which the block cache has half. %d rounds of %d s, seed %d."
            + " Recall %.3f, hits of all types equal. Read-ahead %s KiB. Medians (least to most);"
            + " reads are those of the device by all processes.%n%n%s",
        ClusteredIndex.DOCUMENTS,
        ClusteredVectors.DIMENSIONS,
        ClusteredIndex.BYTES / 1e6,
        used / 1e6,
        ROUNDS,
        SECONDS,
        SEED,
        index.recall(expected),
        group.readAhead(),
        KnnLoad.HEAD);
    for (int clients : CLIENTS) {
      List<KnnLoad> base = loads.get("hybridfs" + clients);
      for (String type : types) {
        Smoke.OUT.println(KnnLoad.line(type, clients, loads.get(type + clients), base));
      }
    }
    KnnLoad.printDevice(index.file());
  }
}
