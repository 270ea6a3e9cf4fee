// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.Commits;
import io.github.lucenedirectories.benchmarks.workload.CommitRounds.Way;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommitRoundsTest {
  private static final double MILLIS = 50;
  private static final double SECONDS = 0.3;

  @TempDir private Path folder;

  private final AtomicInteger renames = new AtomicInteger();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();

  /** Takes a while to publish a commit. */
  private final class Slow extends FilterDirectory {
    private final double millis;

    Slow(double millis) {
      super(new ByteBuffersDirectory());
      this.millis = millis;
    }

    @Override
    public void rename(String source, String dest) throws IOException {
      if (renames.incrementAndGet() < 0) {
        throw new IOException("the disk is full");
      }
      mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
      long until = System.nanoTime() + (long) (millis * 1e6);
      while (System.nanoTime() < until) {
        LockSupport.parkNanos(until - System.nanoTime());
      }
      atOnce.decrementAndGet();
      in.rename(source, dest);
    }
  }

  private Commits commits(int indexes, int documents, double millis) throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("lines.tsv"), 100);
    Path json = folder.resolve("lines.json");
    LoadedCorpus.write(new Corpus(List.of(lines.toString()), 1), 100, json);
    List<Directory> directories = new ArrayList<>();
    for (int i = 0; i < indexes; i++) {
      directories.add(new Slow(millis));
    }
    return CommitRounds.commits(
        directories,
        new Way(documents, indexes),
        LoadedCorpus.read(json),
        SECONDS,
        folder,
        () -> {});
  }

  @Test
  void aSlowDirectoryShows() throws IOException {
    Commits fast = commits(1, 2, 0);
    Commits slow = commits(1, 2, MILLIS);
    assertTrue(slow.own().millis("p50") >= MILLIS, slow.own()::toString);
    assertTrue(slow.whole().millis("p50") >= slow.own().millis("p50"), slow::toString);
    assertTrue(fast.own().millis("p50") < MILLIS / 2, fast.own()::toString);
    assertTrue(slow.perSecond() <= 1000 / MILLIS, "" + slow.perSecond());
  }

  /** Several wait at the same time, and every commit is counted. */
  @Test
  void indexesCommitAtOnce() throws IOException {
    Commits commits = commits(4, 1, MILLIS);
    assertEquals(renames.get() - 4, commits.whole().count(), "without the first of each");
    assertTrue(mostAtOnce.get() > 1, "the first of each come one after another");
    assertEquals("1 in 4 indexes", commits.way().toString());
  }

  @Test
  void aFailureOfOneEndsTheTurn() {
    renames.set(Integer.MAX_VALUE - 3);
    IOException thrown = assertThrows(IOException.class, () -> commits(2, 1, 1));
    assertTrue(String.valueOf(thrown.getMessage()).contains("the disk is full"), thrown::toString);
  }
}
