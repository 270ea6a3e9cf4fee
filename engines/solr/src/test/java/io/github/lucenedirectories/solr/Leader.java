// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.solr;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;
import org.apache.lucene.util.SuppressForbidden;

/**
 * Adds documents to a core in a process of its own until it is killed, and prints how many are
 * acknowledged. Arguments: the node's folder, the core, the first document, a seed.
 */
final class Leader {

  /** Begins a line that says how many documents are acknowledged. */
  static final String ACKNOWLEDGED = "acknowledged ";

  private static final int MOST_AT_ONCE = 20;
  private static final int COMMIT_EACH = 10;

  private Leader() {}

  /** Runs until it is killed. */
  @SuppressForbidden(reason = "prints what it has done")
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    String core = args[1];
    int next = Integer.parseInt(args[2]);
    Random random = new Random(Long.parseLong(args[3]));
    try (Node node = new Node(Path.of(args[0]))) {
      while (true) {
        int to = next + 1 + random.nextInt(MOST_AT_ONCE);
        node.add(core, next, to);
        next = to;
        out.println(ACKNOWLEDGED + next + ";");
        switch (random.nextInt(COMMIT_EACH)) {
          case 0 -> node.commit(core);
          case 1 -> node.softCommit(core);
          default -> {}
        }
      }
    }
  }
}
