package io.github.lucenedirectories.benchmarks.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.lucenedirectories.benchmarks.SampleText;
import io.github.lucenedirectories.benchmarks.corpus.CorpusSpec;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LoadedCorpus;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UpdaterTest {
  private static final int DOCUMENTS = 40;
  private static final long MILLIS = 1_000_000;

  @TempDir private Path folder;

  private Histogram lag(int perSecond, int millis) throws IOException {
    CorpusSpec lines =
        new CorpusSpec(
            List.of(SampleText.lineFile(folder.resolve("a.tsv"), DOCUMENTS).toString()), 1);
    Path file = folder.resolve("text.json");
    LoadedCorpus.write(lines.open(), Integer.MAX_VALUE, file);
    IndexBuilder documents = new IndexBuilder(false);
    try (Directory directory = new ByteBuffersDirectory();
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()))) {
      for (int i = 0; i < DOCUMENTS; i++) {
        writer.addDocument(documents.document(LoadedCorpus.read(file).line(i), i));
      }
      Window window = new Window();
      window.open();
      Updater updater =
          new Updater(writer, window, documents, LoadedCorpus.read(file), DOCUMENTS, perSecond, 7);
      Crew crew = new Crew(window);
      crew.start("updater", updater);
      crew.await(() -> window.now() > millis * MILLIS);
      window.close();
      crew.join();
      try (DirectoryReader reader = DirectoryReader.open(writer)) {
        assertEquals(DOCUMENTS, reader.numDocs(), "documents are replaced");
        assertTrue(reader.hasDeletions() || reader.maxDoc() == DOCUMENTS);
      }
      return updater.lag();
    }
  }

  @Test
  void rateIsKeptAndNotExceeded() throws IOException {
    Histogram lag = lag(50, 1000);
    assertTrue(lag.getTotalCount() <= 55, "done " + lag.getTotalCount());
    assertTrue(lag.getTotalCount() >= 25, "done " + lag.getTotalCount());
  }

  @Test
  void lagGrowsWhereTheRateCannotBeKept() throws IOException {
    Histogram lag = lag(50_000_000, 600);
    assertTrue(lag.getMaxValue() > 300 * MILLIS, "longest lag " + lag.getMaxValue());
    assertTrue(lag.getValueAtPercentile(20) < lag.getValueAtPercentile(90));
  }
}
