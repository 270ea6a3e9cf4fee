// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Kills a leader repeatedly while it acknowledges documents, and checks that it and a follower have
 * them all. {@code -Dkills=N} kills each N times, {@code -Dseed=N} repeats a run up to the moments
 * of the kills.
 */
class KillTest {

  private static final String CORE = "books";
  private static final int MOST_DOCUMENTS = 600;
  private static final int REPLAY_SECONDS = 60;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HybridDirectoryFactory",
        "NrtCacheDirectoryFactory",
        "BlockCacheDirectoryFactory",
        "RamDirectoryFactory"
      })
  void noAcknowledgedDocumentIsLost(String name) throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    String run = name + " -Dseed=" + seed;
    Random random = new Random(seed);
    String factory = Node.factory(name);
    Path home = folder.resolve("leader");
    new Node(home).create(CORE, factory).close();
    try (Node follower = new Node(folder.resolve("follower")).create(CORE, factory)) {
      int acknowledged = 0;
      for (int kill = 0; kill < Integer.getInteger("kills", 1); kill++) {
        acknowledged = killed(home, acknowledged, random);
        Set<String> expected = ids(acknowledged);
        try (Node leader = new Node(home)) {
          awaitAll(leader, expected, run);
          leader.commit(CORE);
          follower.replication(
              CORE, "command", "fetchindex", "leaderUrl", leader.address(CORE), "wait", "true");
          assertEquals(leader.ids(CORE), follower.ids(CORE), run);
        }
      }
    }
  }

  /** Kills a leader once it has added so many documents; how many it has acknowledged. */
  private static int killed(Path home, int from, Random random) throws Exception {
    Path log = home.resolveSibling("leader.log");
    Process leader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-Dlog4j2.level=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                Leader.class.getName(),
                home.toString(),
                CORE,
                String.valueOf(from),
                String.valueOf(random.nextLong()))
            .redirectError(log.toFile())
            .start();
    int enough = from + 1 + random.nextInt(MOST_DOCUMENTS);
    int acknowledged = from;
    try (BufferedReader lines = leader.inputReader()) {
      for (String line = lines.readLine(); line != null; line = next(lines)) {
        // The last line may be cut off where the process ended.
        if (line.startsWith(Leader.ACKNOWLEDGED) && line.endsWith(";")) {
          acknowledged =
              Integer.parseInt(
                  line, Leader.ACKNOWLEDGED.length(), line.length() - 1, /* radix= */ 10);
          if (acknowledged >= enough) {
            leader.destroyForcibly();
          }
        }
      }
    } finally {
      leader.destroyForcibly().waitFor();
    }
    assertTrue(acknowledged >= enough, () -> "the leader ended by itself: " + text(log));
    return acknowledged;
  }

  /** The next line; null at the end, also where the stream was closed by the end of the process. */
  private static @Nullable String next(BufferedReader lines) {
    try {
      return lines.readLine();
    } catch (IOException _) {
      return null;
    }
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static Set<String> ids(int count) {
    return IntStream.range(0, count).mapToObj(String::valueOf).collect(Collectors.toSet());
  }

  /** Waits for the replay of the update log. */
  private static void awaitAll(Node leader, Set<String> expected, String run) throws Exception {
    Set<String> missing = expected;
    for (int i = 0; i < REPLAY_SECONDS && !missing.isEmpty(); i++) {
      Thread.sleep(i == 0 ? 0 : 1_000);
      leader.softCommit(CORE);
      missing = new HashSet<>(expected);
      missing.removeAll(leader.ids(CORE));
    }
    assertEquals(Set.of(), missing, run);
  }
}
