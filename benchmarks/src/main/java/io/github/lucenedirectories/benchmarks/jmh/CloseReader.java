package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
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
      new IndexSearcher(opened).search(new TermQuery(SegmentedIndex.COMMON), 1);
      reader = opened;
    }
  }

  /** An index of several segments, and threads that read beside it. */
  public static class Index extends DirectoryState {
    private static final String BUSY = "busy.dat";
    private static final int BUSY_BLOCKS = 16;

    @Param("20")
    public int segments;

    /** Threads that read from another file meanwhile. */
    @Param({"0", "4"})
    public int readers;

    /** Whether a segment has its files in one, as after a flush, or apart, as after a merge. */
    @Param({"true", "false"})
    public boolean compound;

    private @Nullable IndexInput busyInput;
    private @Nullable BusyReaders busyReaders;

    @Override
    void prepare(Directory opened) throws IOException {
      SegmentedIndex.write(opened, segments, compound);
      byte[] contents = Block.randomBytes().bytes();
      try (IndexOutput out = opened.createOutput(BUSY, IOContext.DEFAULT)) {
        for (int i = 0; i < BUSY_BLOCKS; i++) {
          out.writeBytes(contents, contents.length);
        }
      }
      IndexInput input = opened.openInput(BUSY, IOContext.DEFAULT);
      busyInput = input;
      busyReaders = BusyReaders.start(readers, input);
    }

    @Override
    void release() throws IOException {
      IOUtils.close(busyReaders, busyInput);
    }
  }
}
