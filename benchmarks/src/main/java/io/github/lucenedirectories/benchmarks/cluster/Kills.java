// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Kills the nodes of a cluster while documents are added, one after another and every {@value
 * #ALL}th time all of them, and then looks for each document whose addition a node had
 * acknowledged: in the shards that answer for it, and in their copies. For one thread.
 */
final class Kills {
  static final int ALL = 4;

  private static final String NAME = "kills";
  private static final int WRITERS = 2;
  private static final int BULK = 20;
  private static final int LOOKED_FOR = 1_000;
  private static final int REPLICAS = 1;
  private static final int MOST_PAUSE_MILLIS = 6_000;
  private static final int COPY_SECONDS = 120;
  private static final double NANOS = 1e9;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Nodes nodes;
  private final Rest rest;
  private final Random random;
  private final AtomicInteger next = new AtomicInteger();

  /* Each bulk whose documents have all been acknowledged, by its number. */
  private final List<Integer> acknowledged = new ArrayList<>();
  private final AtomicLong failures = new AtomicLong();
  private volatile boolean over;

  /**
   * What came of it.
   *
   * @param greenSeconds after each kill, from the start of the killed nodes to a green cluster
   * @param refused requests that failed, whose documents were sent again
   */
  record Outcome(long acknowledged, long refused, List<Double> greenSeconds) {
    @Override
    public String toString() {
      List<Double> sorted = greenSeconds.stream().sorted().toList();
      return Numbers.text(
          "%d kills, %,d documents acknowledged, none lost; %,d requests failed; green after %.1f s"
              + " at the median, %.1f s at most",
          sorted.size(), acknowledged, refused, sorted.get(sorted.size() / 2), sorted.getLast());
    }
  }

  Kills(Nodes nodes, long seed) {
    this.nodes = nodes;
    this.rest = nodes.rest();
    this.random = new Random(seed);
  }

  /**
   * Kills for so many seconds; {@code say} takes a line for each kill. Fails if anything is lost.
   */
  Outcome run(String type, String replication, double seconds, Consumer<String> say)
      throws IOException {
    ClusterIndex.create(
        rest, NAME, type, REPLICAS, ", \"index.replication.type\": \"" + replication + "\"");
    nodes.awaitHealth(0, "wait_for_status=green");
    List<Double> green = new ArrayList<>();
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<?>> running = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        long seed = random.nextLong();
        running.add(writers.submit(() -> write(new Random(seed))));
      }
      try {
        long end = System.nanoTime() + (long) (seconds * NANOS);
        for (int kill = 1; System.nanoTime() < end; kill++) {
          green.add(kill(kill, say));
        }
      } finally {
        over = true;
      }
      for (Future<?> writer : running) {
        writer.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException("a writer failed: " + e.getCause(), e);
    }
    rest.call("POST", NAME + "/_refresh", "");
    requireAll(rest, acknowledged.stream().flatMapToInt(Kills::ids).boxed().toList(), COPY_SECONDS);
    rest.call("DELETE", NAME, "");
    return new Outcome((long) acknowledged.size() * BULK, failures.get(), green);
  }

  private double kill(int number, Consumer<String> say) throws IOException {
    Rest.pause(random.nextInt(MOST_PAUSE_MILLIS));
    List<Integer> killed =
        number % ALL == 0
            ? IntStream.range(0, Nodes.COUNT).boxed().toList()
            : List.of(number % Nodes.COUNT);
    killed.forEach(nodes::kill);
    Rest.pause(random.nextInt(MOST_PAUSE_MILLIS));
    long begun = System.nanoTime();
    for (int node : killed) {
      nodes.start(node);
    }
    nodes.awaitHealth(killed.getFirst(), "wait_for_status=green&wait_for_nodes=" + Nodes.COUNT);
    double seconds = (System.nanoTime() - begun) / NANOS;
    int sure;
    synchronized (acknowledged) {
      sure = acknowledged.size() * BULK;
    }
    say.accept(
        Numbers.text(
            "kill %d, of node %s: green after %.1f s; %,d documents acknowledged",
            number, killed, seconds, sure));
    return seconds;
  }

  /** Adds documents until it is over; what was not acknowledged it sends again, to any node. */
  private Void write(Random own) throws IOException {
    while (!over) {
      int bulk = next.getAndIncrement();
      String body =
          ids(bulk)
              .mapToObj(
                  id ->
                      "{\"index\": {\"_id\": \"" + id + "\"}}\n{\"body\": \"" + body(id) + "\"}\n")
              .collect(Collectors.joining());
      boolean sure = false;
      while (!sure && !over) {
        try {
          int node = own.nextInt(Nodes.COUNT);
          JsonNode answer = rest.call(node, "POST", NAME + "/_bulk?timeout=10s", body, PATIENCE);
          sure = !answer.path("errors").asBoolean(true);
        } catch (IOException _) {
          // The node may be dead, or without the others.
        }
        if (!sure) {
          failures.incrementAndGet();
          Rest.pause(100);
        }
      }
      if (sure) {
        synchronized (acknowledged) {
          acknowledged.add(bulk);
        }
      }
    }
    return null;
  }

  private static IntStream ids(int bulk) {
    return IntStream.range(bulk * BULK, (bulk + 1) * BULK);
  }

  static String body(int id) {
    return "document " + id + " of " + (id * 7919L);
  }

  /** Fails unless every copy has all documents, at the latest after so many seconds. */
  static void requireAll(Rest rest, List<Integer> ids, int seconds) throws IOException {
    for (String copy : List.of("_primary", "_replica")) {
      // The files of segments that were refreshed may still be on their way to a copy.
      List<Integer> missing = ids;
      for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds); ; ) {
        missing = missing(rest, missing, copy);
        if (missing.isEmpty() || System.nanoTime() >= end) {
          break;
        }
        Rest.pause(1_000);
      }
      if (!missing.isEmpty()) {
        throw new RunFailedException(
            Numbers.text(
                "LOST: %,d of %,d acknowledged documents are not in %s, first %d",
                missing.size(), ids.size(), copy, missing.getFirst()));
      }
    }
  }

  private static List<Integer> missing(Rest rest, List<Integer> ids, String copy)
      throws IOException {
    List<Integer> missing = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += LOOKED_FOR) {
      List<Integer> some = ids.subList(from, Math.min(from + LOOKED_FOR, ids.size()));
      JsonNode found =
          rest.call(
              "POST",
              NAME + "/_mget?realtime=false&preference=" + copy,
              "{\"ids\": ["
                  + some.stream().map(id -> "\"" + id + "\"").collect(Collectors.joining(","))
                  + "]}");
      for (int i = 0; i < some.size(); i++) {
        if (!found.path("docs").path(i).at("/_source/body").asText().equals(body(some.get(i)))) {
          missing.add(some.get(i));
        }
      }
    }
    return missing;
  }
}
