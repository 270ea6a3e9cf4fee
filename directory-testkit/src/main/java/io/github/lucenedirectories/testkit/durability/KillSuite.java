// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * Kills processes that commit to one folder, one after another.
 *
 * <p>{@code -Dtestkit.kills=300} asks for as many kills; without it there are a few. The kernel
 * survives and with it the page cache, so this shows the order of writes and what was acknowledged;
 * {@link PowerCutSuite} shows the syncs.
 */
@LuceneTestCase.SuppressFileSystems("*") // another process reads the same folder
public class KillSuite extends DirectorySuite {

  private static final String KILLS = "testkit.kills";
  private static final int MANY_KILLS = 12;

  private static final long STARTING_MICROS = 700_000;
  private static final long COMMIT_MICROS = 6_000;
  private static final long INDEXING_MICROS = 20_000;

  public KillSuite(Subject subject) {
    super(subject);
  }

  /** How many kills there are if nothing is said. */
  protected int usualKills() {
    return 4;
  }

  /**
   * The program that is killed: a {@link CommittingProcess} that makes a subject of the same class.
   *
   * @param arguments its first three
   */
  protected List<String> command(List<String> jvm, String... arguments) {
    String[] all = {arguments[0], arguments[1], arguments[2], subject.getClass().getName()};
    return JavaCommand.of(jvm, CommittingProcess.class, all);
  }

  /** A directory that reads what the killed process left. */
  protected Directory reader(Path folder) throws IOException {
    return subject.open(folder);
  }

  public void testAcknowledgedCommitsAreFound() throws Exception {
    assumePromised(Promise.DURABLE);
    int kills = Integer.getInteger(KILLS, usualKills());
    Path folder = createTempDir();
    long seed = random().nextLong();
    ChangeHistory history = new ChangeHistory(seed);
    long found = 0;
    int inCommit = 0;
    for (int i = 0; i < kills; i++) {
      // It ends by itself after 2,000 commits.
      List<String> command =
          command(List.of("-XX:TieredStopAtLevel=1"), folder.toString(), "" + seed, "2000");
      try (KilledProcess process = new KilledProcess(command)) {
        killSometime(process);
        long least = Math.max(found, process.acknowledged);
        long most = Math.max(least, process.attempted);
        inCommit += most > least ? 1 : 0;
        try (Directory plain = reader(folder)) {
          found = history.check(plain, least, most);
        }
      }
      found++;
      goOn(folder, history, found);
    }
    assertTrue("no kill struck a commit in " + kills, inCommit > 0 || kills < MANY_KILLS);
  }

  private static void killSometime(KilledProcess process) throws IOException, InterruptedException {
    switch (random().nextInt(8)) {
      case 0 -> pause(STARTING_MICROS);
      case 1, 2 -> {
        process.await(CommittingProcess.COMMITTED, random().nextInt(1, 15));
        pause(INDEXING_MICROS);
      }
      default -> {
        process.await(CommittingProcess.COMMITTING, random().nextInt(1, 15));
        pause(COMMIT_MICROS);
      }
    }
    process.kill();
  }

  private static void pause(long mostMicros) {
    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random().nextLong(mostMicros)));
  }

  /** A new directory loads what is there, its writer adds a commit, and any other can read it. */
  private void goOn(Path folder, ChangeHistory history, long next) throws IOException {
    try (Directory directory = open(folder)) {
      history.check(directory, next - 1, next - 1);
      try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
        history.apply(next, writer, open -> {});
        ChangeHistory.commit(writer, next);
      }
    }
    try (Directory plain = reader(folder)) {
      history.check(plain, next, next);
    }
  }
}
