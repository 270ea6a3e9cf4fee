// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Subject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * Commits on a file system whose power may be cut at any moment: every acknowledged commit is
 * found, whole.
 *
 * <p>After a cut a file that was not forced is shorter, holds garbage or is whole. Of the
 * creations, renames and deletions since the folder was forced the first are found, from none to
 * all. That is stricter than most file systems, on which a forced file brings its name along.
 */
@LuceneTestCase.SuppressFileSystems("*") // the test brings its own
public class PowerCutSuite extends DirectorySuite {

  private static final int LOOKS_ONE_IN = 20;

  public PowerCutSuite(Subject subject) {
    super(subject);
  }

  @Override
  public void setUp() throws Exception {
    super.setUp();
    assumePromised(Promise.FILES);
    assumePromised(Promise.DURABLE);
  }

  /** What a cut would leave, and the last commit that was acknowledged before. */
  private record Left(String before, long acknowledged, Map<String, byte[]> files) {}

  public void testCommits() throws IOException {
    for (int round = atLeast(3); round > 0; round--) {
      Path folder = createTempDir();
      PowerCutFiles files = new PowerCutFiles(folder);
      CommitRun run = new CommitRun(random().nextLong());
      ConcurrentLinkedQueue<Left> cuts = new ConcurrentLinkedQueue<>();
      Random random = new Random(random().nextLong());
      files.before =
          what -> {
            if (random.nextInt(LOOKS_ONE_IN) == 0) {
              cuts.add(cut(what, files, run, random));
            }
          };
      try (Directory directory = open(files.wrapPath(folder))) {
        assertTrue(run.failures().toString(), run.commit(directory, 5));
        cuts.add(cut("close", files, run, random));
      }
      cuts.add(cut("end", files, run, random));
      cuts.forEach(left -> check(run, left));
    }
  }

  private static Left cut(String before, PowerCutFiles files, CommitRun run, Random random) {
    long acknowledged = run.acknowledged();
    try {
      return new Left(before, acknowledged, files.afterPowerCut(random));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void check(CommitRun run, Left left) {
    try {
      Path found = createTempDir();
      for (Map.Entry<String, byte[]> file : left.files.entrySet()) {
        Files.write(found.resolve(file.getKey()), file.getValue());
      }
      try (Directory directory = open(found)) {
        run.check(directory, left.acknowledged);
      }
    } catch (IOException | AssertionError e) {
      throw new AssertionError("power cut before " + left.before + ": " + e, e);
    }
  }

  /** A file that was synced, and its name once the names were, survives whatever comes later. */
  public void testSyncedFiles() throws IOException {
    Path folder = createTempDir();
    PowerCutFiles files = new PowerCutFiles(folder);
    byte[] bytes = randomBytes(5_000);
    try (Directory directory = open(files.wrapPath(folder))) {
      write(directory, "synced", bytes);
      write(directory, "source", bytes);
      directory.sync(List.of("synced", "source"));
      directory.rename("source", "renamed");
      directory.syncMetaData();
      write(directory, "unsynced", bytes);
      for (int i = 0; i < 20; i++) {
        Map<String, byte[]> found = files.afterPowerCut(random());
        for (String name : List.of("synced", "renamed")) {
          assertTrue(name + " is gone, found=" + found.keySet(), found.containsKey(name));
          assertArrayEquals(name, bytes, found.get(name));
        }
      }
    }
  }
}
