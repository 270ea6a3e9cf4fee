package io.github.lucenedirectories.solr;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Prints the medians of soft commits and of replications, factory beside factory in alternating
 * rounds. The only argument is the number of rounds.
 */
final class Comparison {

  private static final List<String> FACTORIES =
      List.of(
          "solr.NRTCachingDirectoryFactory",
          "HybridDirectoryFactory",
          "NrtCacheDirectoryFactory",
          "BlockCacheDirectoryFactory",
          "RamDirectoryFactory");

  private static final int DOCUMENTS = 50;
  private static final int WARM_UP_ROUNDS = 5;

  private Comparison() {}

  /** Runs it. */
  @SuppressForbidden(reason = "prints its result")
  public static void main(String[] args) throws Exception {
    int rounds = Integer.parseInt(args[0]);
    Path folder = Files.createTempDirectory("comparison");
    Map<String, List<Long>> nanos = new LinkedHashMap<>();
    try (Node leader = new Node(folder.resolve("leader"));
        Node follower = new Node(folder.resolve("follower"))) {
      for (int i = 0; i < FACTORIES.size(); i++) {
        String line = Node.factory(FACTORIES.get(i));
        leader.create("core" + i, line);
        follower.create("core" + i, line);
      }
      for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < FACTORIES.size(); i++) {
          String core = "core" + (i + round) % FACTORIES.size();
          String name = FACTORIES.get((i + round) % FACTORIES.size());
          leader.add(core, round * DOCUMENTS, (round + 1) * DOCUMENTS);
          long start = System.nanoTime();
          leader.softCommit(core);
          long reopened = System.nanoTime();
          leader.commit(core);
          long committed = System.nanoTime();
          follower.replication(
              core, "command", "fetchindex", "leaderUrl", leader.address(core), "wait", "true");
          long replicated = System.nanoTime();
          if (follower.count(core, "*:*") != (round + 1L) * DOCUMENTS) {
            throw new AssertionError("documents are missing in the follower: " + name);
          }
          if (round >= WARM_UP_ROUNDS) {
            nanos
                .computeIfAbsent("reopen    " + name, _ -> new ArrayList<>())
                .add(reopened - start);
            nanos
                .computeIfAbsent("replicate " + name, _ -> new ArrayList<>())
                .add(replicated - committed);
          }
        }
      }
    }
    nanos.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            entry ->
                System.out.printf(
                    Locale.ROOT,
                    "%s %.2f ms, median of %d%n",
                    entry.getKey(),
                    entry.getValue().stream().sorted().toList().get(entry.getValue().size() / 2)
                        / 1e6,
                    entry.getValue().size()));
    System.exit(0);
  }
}
