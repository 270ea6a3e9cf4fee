package io.github.lucenedirectories.benchmarks.index;

import io.github.lucenedirectories.benchmarks.console.RunFailedException;
import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import io.github.lucenedirectories.benchmarks.meter.Meter;
import io.github.lucenedirectories.benchmarks.meter.OwnTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.store.Directory;

/**
 * Indexes a text once, with Lucene's default merging, and looks whether all of it is there. For one
 * thread, which starts the others.
 */
final class IndexRun {
  private static final double NANOS = 1e9;

  private final IndexSpec spec;
  private final LoadedCorpus text;
  private final IndexBuilder documents;

  IndexRun(IndexSpec spec, LoadedCorpus text) {
    this.spec = spec;
    this.text = text;
    this.documents = new IndexBuilder(spec.vectors());
  }

  /**
   * Runs once.
   *
   * @param directory empty
   * @param meter of the directory's own time
   */
  IndexSamples.Run run(Directory directory, Meter meter) throws IOException {
    CountedMerges merges = new CountedMerges();
    IndexWriterConfig config =
        new IndexWriterConfig(Fields.analyzer())
            .setOpenMode(OpenMode.CREATE)
            .setRAMBufferSizeMB(spec.bufferMegabytes())
            .setMergeScheduler(merges);
    long start = System.nanoTime();
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      addAll(writer);
    }
    double seconds = (System.nanoTime() - start) / NANOS;
    OwnTime own = meter.ofAllThreads();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      if (reader.numDocs() != spec.documents()) {
        throw new RunFailedException(
            "documents are missing: indexed="
                + spec.documents()
                + ", found="
                + reader.numDocs()
                + ": "
                + directory);
      }
      return new IndexSamples.Run(
          seconds, own, merges.count(), reader.leaves().size(), bytes(directory));
    }
  }

  private void addAll(IndexWriter writer) throws IOException {
    AtomicInteger next = new AtomicInteger();
    Callable<Integer> share =
        () -> {
          int added = 0;
          for (int i = next.getAndIncrement(); i < spec.documents(); i = next.getAndIncrement()) {
            writer.addDocument(documents.document(text.line(i), i));
            added++;
          }
          return added;
        };
    List<Callable<Integer>> shares = new ArrayList<>();
    for (int i = 0; i < spec.threads(); i++) {
      shares.add(share);
    }
    try (ExecutorService threads = Executors.newFixedThreadPool(spec.threads())) {
      for (Future<Integer> done : threads.invokeAll(shares)) {
        done.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  private static long bytes(Directory directory) throws IOException {
    long bytes = 0;
    for (String name : directory.listAll()) {
      bytes += directory.fileLength(name);
    }
    return bytes;
  }
}
