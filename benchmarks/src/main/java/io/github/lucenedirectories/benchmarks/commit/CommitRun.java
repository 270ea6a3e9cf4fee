package io.github.lucenedirectories.benchmarks.commit;

import io.github.lucenedirectories.benchmarks.commit.CommitSamples.Commit;
import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.meter.MeteredDirectory;
import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;

/**
 * Adds documents to one index and commits after every few, with Lucene's defaults, and looks
 * whether all of them are there. For one thread.
 */
final class CommitRun {
  private static final double NANOS = 1e9;

  private final LoadedCorpus text;
  private final int documentsPerCommit;
  private final IndexBuilder documents = new IndexBuilder(false);
  private int added;

  CommitRun(LoadedCorpus text, int documentsPerCommit) {
    this.text = text;
    this.documentsPerCommit = documentsPerCommit;
  }

  /**
   * Commits for some time, and twice at least.
   *
   * @param directory just opened, with what earlier calls have left
   * @param edge run right before and right after what is measured
   */
  CommitSamples.Size run(Directory directory, double seconds, Runnable edge) throws IOException {
    // The heap is the same for every size and every directory.
    System.gc();
    Meter meter = new Meter();
    CommitSamples.Sum sum;
    // Everything is committed: closing must not wait for merges.
    IndexWriterConfig config = new IndexWriterConfig(Fields.analyzer()).setCommitOnClose(false);
    try (IndexWriter writer = new IndexWriter(new MeteredDirectory(directory, meter), config)) {
      edge.run();
      sum = new CommitSamples.Sum(documentsPerCommit, commit(writer, meter));
      long start = System.nanoTime();
      do {
        sum.add(commit(writer, meter));
      } while (System.nanoTime() - start < seconds * NANOS);
      edge.run();
    }
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() != added) {
        throw new RunFailedException(
            "documents are missing: committed="
                + added
                + ", found="
                + reader.numDocs()
                + ": "
                + directory);
      }
    }
    return sum.size();
  }

  private Commit commit(IndexWriter writer, Meter meter) throws IOException {
    long start = System.nanoTime();
    for (int i = 0; i < documentsPerCommit; i++, added++) {
      writer.addDocument(documents.document(text.line(added), added));
    }
    long addedAt = System.nanoTime();
    OwnTime before = meter.ofThisThread();
    long committing = System.nanoTime();
    writer.commit();
    long end = System.nanoTime();
    return new Commit(addedAt - start, end - committing, meter.ofThisThread().since(before));
  }
}
