// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.Directory;

/**
 * Commits of a {@link ChangeHistory} to a directory that fails now and then, and which of them were
 * acknowledged.
 *
 * <p>A commit is acknowledged when {@code IndexWriter.commit} returned; it must then be found after
 * whatever happens. One that failed may be found or not, but only whole. Safe for one thread, and
 * for others that look at what is found, one at a time.
 */
public final class CommitRun {

  private static final int TRIES_PER_COMMIT = 3;

  private final ChangeHistory history;
  private final Random random;
  private final List<Exception> failures = new ArrayList<>();
  private volatile long acknowledged;
  private volatile long attempted;

  /** A run from an empty directory. Everything in it follows from the seed. */
  public CommitRun(long seed) {
    history = new ChangeHistory(seed);
    random = new Random(seed);
  }

  /** What the callers of an {@code IndexWriter} were told so far. */
  public List<Exception> failures() {
    return List.copyOf(failures);
  }

  /** The number of the last acknowledged commit. */
  public long acknowledged() {
    return acknowledged;
  }

  /**
   * Opens a writer and commits up to {@code commits} times. A commit that fails is tried again with
   * the same writer as long as that is open.
   *
   * @return whether all commits were acknowledged
   */
  public boolean commit(Directory directory, int commits) {
    try {
      long found = ChangeHistory.number(directory);
      // Its close rolls back what is not committed.
      try (IndexWriter writer = new IndexWriter(directory, config())) {
        for (long number = found + 1; number <= found + commits; number++) {
          history.apply(number, writer, this::disturb);
          commit(writer, number);
        }
      }
      return true;
    } catch (IOException | IllegalStateException e) {
      // The second says that the writer has closed itself after an error before.
      failures.add(e);
      return false;
    }
  }

  private void commit(IndexWriter writer, long number) throws IOException {
    attempted = Math.max(attempted, number);
    for (int tries = 1; acknowledged < number; tries++) {
      try {
        ChangeHistory.commit(writer, number);
        acknowledged = number;
      } catch (IOException e) {
        if (tries == TRIES_PER_COMMIT || !writer.isOpen()) {
          throw e;
        }
        failures.add(e);
      }
    }
  }

  private void disturb(IndexWriter writer) throws IOException {
    switch (random.nextInt(40)) {
      case 0 -> writer.flush();
      case 1 -> writer.forceMerge(1);
      case 2 -> DirectoryReader.open(writer).close();
      default -> {}
    }
  }

  private IndexWriterConfig config() {
    LogDocMergePolicy policy = new LogDocMergePolicy();
    policy.setMergeFactor(random.nextInt(2, 5));
    policy.setNoCFSRatio(random.nextInt(2));
    return new IndexWriterConfig()
        .setMergePolicy(policy)
        .setMergeScheduler(new SerialMergeScheduler())
        .setMaxBufferedDocs(random.nextInt(2, 12))
        .setUseCompoundFile(random.nextBoolean())
        .setMaxFullFlushMergeWaitMillis(0)
        .setCommitOnClose(false);
  }

  /**
   * Fails unless a directory holds the last acknowledged commit, or a later one that was attempted,
   * whole.
   */
  public void check(Directory directory) {
    check(directory, acknowledged);
  }

  /**
   * As {@link #check(Directory)}, where another thread may just be committing.
   *
   * @param least the last commit that was acknowledged before the directory got its content
   */
  public void check(Directory directory, long least) {
    history.check(directory, least, attempted);
  }

  /** As {@link #check(Directory)}; from now on the commit that was found counts as acknowledged. */
  public void checkAndGoOn(Directory directory) {
    acknowledged = history.check(directory, acknowledged, attempted);
    attempted = acknowledged;
  }
}
