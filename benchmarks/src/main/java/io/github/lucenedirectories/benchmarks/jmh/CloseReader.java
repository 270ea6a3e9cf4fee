package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import java.io.IOException;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Closing a reader of a whole index while threads read from another file of the directory. Every
 * reader was opened and searched just before, as a reopen does it.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CloseReader {
  /** A word that every document has. */
  private static final Term COMMON = new Term(Fields.BODY, "common");

  /** A close. */
  @Benchmark
  public void close(Opened opened) throws IOException {
    Objects.requireNonNull(opened.reader).close();
  }

  /** A reader for each invocation. */
  @State(Scope.Thread)
  public static class Opened {
    private @Nullable DirectoryReader reader;

    /** Opens and searches it. */
    @Setup(Level.Invocation)
    public void open(Index index) throws IOException {
      DirectoryReader opened = DirectoryReader.open(index.directory());
      new IndexSearcher(opened).search(new TermQuery(COMMON), 1);
      reader = opened;
    }
  }

  /** An index of made-up documents with all fields, and threads that read another file. */
  public static class Index extends DirectoryState {
    private static final int SEGMENT_DOCUMENTS = 200;
    private static final int WORDS_A_DOCUMENT = 60;
    private static final int WORDS = 5_000;

    @Param("20")
    public int segments;

    /** Threads that read from another file meanwhile. */
    @Param({"0", "4"})
    public int readers;

    /** Whether a segment has its files in one, as after a flush, or apart, as after a merge. */
    @Param({"true", "false"})
    public boolean compound;

    private @Nullable BusyReaders busyReaders;

    @Override
    void prepare(Directory opened) throws IOException {
      IndexBuilder builder = new IndexBuilder();
      SplittableRandom random = new SplittableRandom(Block.SEED);
      try (IndexWriter writer =
          new IndexWriter(
              opened,
              IndexBuilder.config()
                  .setMaxBufferedDocs(SEGMENT_DOCUMENTS)
                  .setMergePolicy(NoMergePolicy.INSTANCE)
                  .setUseCompoundFile(compound))) {
        for (int i = 0; i < segments * SEGMENT_DOCUMENTS; i++) {
          StringBuilder body = new StringBuilder(COMMON.text());
          for (int word = 0; word < WORDS_A_DOCUMENT; word++) {
            body.append(" word").append(Block.skewed(random) % WORDS);
          }
          LineDocument line = new LineDocument("title " + i, i * 1_000_000L, body.toString(), null);
          writer.addDocument(builder.document(line, i));
        }
        writer.commit();
      }
      busyReaders = new BusyReaders(readers, opened);
    }

    @Override
    void release() throws IOException {
      IOUtils.close(busyReaders);
    }
  }
}
