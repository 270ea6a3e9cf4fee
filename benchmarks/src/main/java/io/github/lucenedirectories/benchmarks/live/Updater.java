package io.github.lucenedirectories.benchmarks.live;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.results.EncodedHistogram;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;

/**
 * Replaces documents at a fixed rate: each has its moment, and its lag is the time from that moment
 * until it is done. What is late is made up for as fast as it goes, so a rate that cannot be kept
 * shows as a lag that grows.
 */
public final class Updater implements Crew.Work {
  private final IndexWriter writer;
  private final Window window;
  private final IndexBuilder documents;
  private final LoadedCorpus text;
  private final int count;
  private final long intervalNanos;
  private final SplittableRandom random;
  private final Histogram lag = new Histogram(EncodedHistogram.DIGITS);

  /**
   * @param count of documents in the index; each is as likely to be replaced as any other
   */
  public Updater(
      IndexWriter writer,
      Window window,
      IndexBuilder documents,
      LoadedCorpus text,
      int count,
      int perSecond,
      long seed) {
    this.writer = writer;
    this.window = window;
    this.documents = documents;
    this.text = text;
    this.count = count;
    this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
    this.random = new SplittableRandom(seed);
  }

  @Override
  public void run() throws IOException {
    long due = window.now();
    while (!window.isOver()) {
      long wait = due - window.now();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
        continue;
      }
      update();
      long done = window.now();
      if (window.holds(done)) {
        lag.recordValue(done - due);
      }
      due += intervalNanos;
    }
  }

  private void update() throws IOException {
    int number = random.nextInt(count);
    writer.updateDocument(
        new Term(Fields.ID, IndexBuilder.id(number)),
        documents.document(text.line(random.nextInt(text.size())), number));
  }

  /** Nanoseconds from an update's moment until it was done. */
  public Histogram lag() {
    return lag;
  }
}
