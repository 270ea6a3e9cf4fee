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
 * Measures searches of an index larger than the memory, with each store type beside the node's own.
 * Needs root, and a machine without other work. The index is made with the node's own type and
 * restored into each of the others. Then each has its turns: a new node in a {@link MemoryGroup},
 * all other indexes closed, and none of them in the page cache. {@code -Ddocuments}, {@code
 * -Drounds}, {@code -Dseconds} of one measurement, {@code -Dseed}, and {@code -Dtypes}, a regular
 * expression, change the run.
 */
@SuppressForbidden(reason = "a command prints")
final class MemoryLimit {

  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final int SECONDS = Integer.getInteger("seconds", 10);
  private static final long SEED = Long.getLong("seed", 1);

  /** Bytes that the JVM may have besides until the most has been compiled. */
  private static final long COMPILER = 128L << 20;

  /** Until it has given back what the compiler had. */
  private static final int TRIM_MILLIS = 3_000;

  private final List<String> types = new ArrayList<>(List.of("hybridfs"));
  private final Node node;
  private final LimitedIndex index;
  private final MemoryGroup group;

  /** By variant and kind, one of each round. */
  private final Map<String, List<ClientLoad>> loads = new HashMap<>();

  private List<?> expected = List.of();
  private String description = "";

  /** With {@link FetchedIndex}: {@code MemoryLimit HOME ZIP VERSION}. */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path home = Path.of(args[0]).toAbsolutePath();
    Smoke.install(home, Path.of(args[1]).toAbsolutePath(), args[2]);
    new MemoryLimit(home, true).run();
  }

  MemoryLimit(Path home, boolean fetches) throws IOException, InterruptedException {
    for (StoreType type : StoreType.values()) {
      if (type == StoreType.RAM) {
        Smoke.OUT.println("left out: " + type.key + ", which keeps all in memory");
      } else if (type.key.matches(System.getProperty("types", ".*"))) {
        types.add(type.key);
      }
    }
    String[] options = {
      "-XX:+AlwaysPreTouch",
      "-XX:+UseG1GC",
      "-XX:TrimNativeHeapInterval=1000",
      "-Djava.library.path="
    };
    node = new Node(home, home.resolveSibling("limit"), "directories.cache.size: 64mb\n", options);
    group = new MemoryGroup(node);
    index = fetches ? new FetchedIndex(node, SEED) : new ClusteredIndex(node, SEED);
  }

  void run() throws IOException, InterruptedException {
    Smoke.attempt(node, () -> index.build(types));
    long[] used = new long[1];
    turn("hybridfs", () -> used[0] = used());
    long limit = used[0] + index.pageCacheBytes();
    List<String> variants = types.stream().flatMap(type -> index.variants(type).stream()).toList();
    List<String> order = new ArrayList<>(variants);
    for (int round = 0; round < ROUNDS; round++) {
      Collections.shuffle(order, new Random(SEED + round));
      for (String variant : order) {
        attempt(variant, limit, round);
      }
    }
    print(variants, used[0]);
  }

  /** Up to three times, should the kernel kill the node at the limit. */
  private void attempt(String variant, long limit, int round)
      throws IOException, InterruptedException {
    for (int attempts = 1; ; attempts++) {
      try {
        group.limit(limit + COMPILER);
        List<ClientLoad> measured = new ArrayList<>();
        turn(variant, () -> measure(variant, limit, round, measured));
        for (int i = 0; i < measured.size(); i++) {
          String key = variant + index.kinds().get(i);
          loads(key).add(measured.get(i));
        }
        return;
      } catch (IOException e) {
        if (attempts == 3) {
          throw e;
        }
        Smoke.OUT.println(variant + ", again: " + e);
      }
    }
  }

  private static String type(String variant) {
    return variant.split(" ", 2)[0];
  }

  private void turn(String variant, Smoke.Part part) throws IOException, InterruptedException {
    String data = node.data().toString();
    Node.execute("sync", "-f", data);
    String drop = "find \"$0\" -type f -exec dd if={} iflag=nocache count=0 status=none ';'";
    Node.execute("/bin/sh", "-c", drop, data);
    group.drop();
    Smoke.attempt(
        node,
        () -> {
          index.prepare(variant);
          node.call("POST", "/" + type(variant) + "/_open?wait_for_active_shards=1", "");
          part.run();
          node.call("POST", "/" + type(variant) + "/_close", "");
        });
  }

  /** What the group needs without page cache, in bytes: after searches, which need some, too. */
  private long used() throws IOException, InterruptedException {
    expected = index.compared("hybridfs");
    description = index.describe();
    for (LimitedIndex.Kind kind : index.kinds()) {
      load("hybridfs", kind, 2 * SECONDS, 0, new AtomicInteger());
    }
    Thread.sleep(TRIM_MILLIS);
    long used = group.drop();
    Smoke.OUT.printf(Locale.ROOT, "%.1f MB without page cache%n", used / 1e6);
    return used;
  }

  private void measure(String variant, long limit, int round, List<ClientLoad> measured)
      throws IOException, InterruptedException {
    String type = type(variant);
    if (!index.compared(type).equals(expected)) {
      throw new AssertionError(variant + ": other hits than hybridfs");
    }
    AtomicInteger next = new AtomicInteger();
    load(type, index.kinds().getLast(), SECONDS, round, next);
    Thread.sleep(TRIM_MILLIS);
    group.limit(limit);
    for (LimitedIndex.Kind kind : index.kinds()) {
      // Two windows are alike, or it has taken six times as long as a measurement.
      double before = load(type, kind, SECONDS / 2.0, round, next).rate();
      double now = load(type, kind, SECONDS / 2.0, round, next).rate();
      int windows = 2;
      for (; Math.abs(now / before - 1) > 0.1 && windows < 12; windows++) {
        before = now;
        now = load(type, kind, SECONDS / 2.0, round, next).rate();
      }
      ClientLoad load = load(type, kind, SECONDS, round, next);
      measured.add(load);
      Smoke.OUT.printf(
          Locale.ROOT,
          "%s, %s, after %d windows, page cache %.1f MB: %s%n",
          variant,
          kind,
          windows,
          group.pageCache() / 1e6,
          load);
    }
    if (!type.equals("hybridfs")) {
      Smoke.OUT.println(index.explain(type));
    }
  }

  private ClientLoad load(
      String type, LimitedIndex.Kind kind, double seconds, int round, AtomicInteger next)
      throws IOException, InterruptedException {
    List<String> queries = index.queries(kind, round);
    return ClientLoad.of(
        kind.clients(),
        seconds,
        group,
        node.pid(),
        () -> index.search(type, kind, queries.get(next.getAndIncrement() % queries.size())));
  }

  private List<ClientLoad> loads(String key) {
    return loads.computeIfAbsent(key, _ -> new ArrayList<>());
  }

  private void print(List<String> variants, long used) throws IOException, InterruptedException {
    Smoke.OUT.printf(
        Locale.ROOT,
        "%n%s Memory: %.1f MB for heap and JVM, and %.1f MB for the page cache; the block cache has"
            + " 64 MB of it. %d rounds of %d s, seed %d. Hits of all types equal. Read-ahead %s KiB."
            + " Medians (least to most); reads are those of the device by all processes.%n%n%s",
        description,
        used / 1e6,
        index.pageCacheBytes() / 1e6,
        ROUNDS,
        SECONDS,
        SEED,
        group.readAhead(),
        ClientLoad.HEAD);
    for (LimitedIndex.Kind kind : index.kinds()) {
      List<ClientLoad> base = loads("hybridfs" + kind);
      for (String variant : variants) {
        Smoke.OUT.println(ClientLoad.line(variant, kind, loads(variant + kind), base));
      }
    }
    ClientLoad.printDevice(index.file());
  }
}
