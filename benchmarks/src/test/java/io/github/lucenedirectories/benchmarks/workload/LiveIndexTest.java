// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.corpus.Corpus;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.harness.TimedDirectory;
import io.github.lucenedirectories.benchmarks.results.Recorded;
import io.github.lucenedirectories.benchmarks.workload.LiveIndex.Latency;
import io.github.lucenedirectories.tools.console.RunFailedException;
import io.github.lucenedirectories.variants.LastCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updates, reopens and commits of a live index, and how threads of a run end. */
class LiveIndexTest {
  private static final int DOCUMENTS = 40;
  private static final long MILLIS = 1_000_000;

  @TempDir private Path folder;

  private final Workers workers = new Workers();
  private Directory directory;
  private LoadedCorpus text;
  private LiveIndex index;

  @BeforeEach
  void open() throws IOException {
    Path lines = SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS);
    Path file = folder.resolve("text.json");
    LoadedCorpus.write(new Corpus(List.of(lines.toString()), 1), Integer.MAX_VALUE, file);
    text = LoadedCorpus.read(file);
    directory = new TimedDirectory(new ByteBuffersDirectory());
    LastCommit.copy(SampleText.index(lines, folder.resolve("index")), directory);
    index = new LiveIndex(directory, workers, true);
    workers.open();
  }

  @AfterEach
  void close() throws IOException {
    index.close();
    directory.close();
  }

  private void update(int perSecond) {
    index.startUpdates(text, DOCUMENTS, perSecond, 7);
  }

  private void awaitMillis(long millis) {
    long until = workers.now() + millis * MILLIS;
    workers.await(() -> workers.now() > until);
  }

  private void awaitCount(Latency latency, int count) {
    workers.await(() -> index.recorded(latency).count() >= count);
  }

  private Recorded finish(Latency latency) throws IOException {
    workers.close();
    workers.join();
    index.check(DOCUMENTS);
    return index.recorded(latency);
  }

  @Test
  void rateOfUpdatesIsNotExceeded() throws IOException {
    update(50);
    awaitCount(Latency.LAG, 10);
    Recorded lag = finish(Latency.LAG);
    long most = 50 * (workers.length() / MILLIS) / 1000 + 2;
    assertTrue(lag.count() <= most, lag.count() + " of " + most);
  }

  @Test
  void lagGrowsIfTheRateCannotBeKept() throws IOException {
    update(50_000_000);
    awaitMillis(600);
    awaitCount(Latency.LAG, 20);
    Recorded lag = finish(Latency.LAG);
    assertTrue(lag.millis("p99.99") > 300, "longest lag " + lag.millis("p99.99"));
    assertTrue(lag.millis("p50") < lag.millis("p90"));
  }

  @Test
  void reopensCountOnlyIfSomethingChanged() throws IOException {
    index.startReopens(1);
    awaitMillis(50);
    assertEquals(0, index.reopens());
    update(100);
    workers.await(() -> index.reopens() >= 3);
    Recorded whole = finish(Latency.REOPEN);
    assertEquals(index.reopens(), whole.count());
    Recorded own = index.recorded(Latency.OWN);
    assertEquals(index.reopens(), own.count());
    assertTrue(own.nanos().getLast() <= whole.nanos().getLast());
    // The reopening thread closed each old reader, the last one perhaps after the measurement.
    assertEquals((double) index.reopens(), (double) index.recorded(Latency.CLOSE).count(), 1.0);
  }

  @Test
  void missingDocumentsAreFound() throws IOException {
    workers.close();
    RunFailedException wrong =
        assertThrows(RunFailedException.class, () -> index.check(DOCUMENTS + 1));
    assertTrue(String.valueOf(wrong.getMessage()).contains("expected=41, found=40"));
  }

  @Test
  void oneThreadThatFailsEndsAll() {
    AtomicBoolean ended = new AtomicBoolean();
    workers.start(
        "worker",
        () -> {
          while (!workers.isOver()) {
            Thread.onSpinWait();
          }
          ended.set(true);
        });
    workers.start(
        "failing",
        () -> {
          throw new IOException("disk full");
        });
    workers.await(() -> false);
    IOException thrown = assertThrows(IOException.class, workers::join);
    assertTrue(ended.get());
    assertTrue(String.valueOf(thrown.getMessage()).contains("disk full"));
  }
}
