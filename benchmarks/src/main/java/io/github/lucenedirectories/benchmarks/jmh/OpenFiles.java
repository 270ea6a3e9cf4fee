package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.benchmarks.corpus.Fields;
import io.github.lucenedirectories.benchmarks.corpus.IndexBuilder;
import io.github.lucenedirectories.benchmarks.corpus.LineDocument;
import io.github.lucenedirectories.benchmarks.harness.ByteCount;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
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

/** Opening, loading and closing of files and readers, while other threads read. */
public final class OpenFiles {
  private OpenFiles() {}

  /**
   * The life of an input, as a reopen goes through it: open, a first read, close. Every call is
   * sampled, since the slow ones are the ones that hurt.
   */
  @BenchmarkMode(Mode.SampleTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  @State(Scope.Thread)
  public static class OpenAndClose {
    private static final int SMALL_BYTES = 1 << 12;

    private int turn;

    /** An input for searching, of a file of 1 MiB. */
    @Benchmark
    public byte open(Files files) throws IOException {
      return readFirst(files, IOContext.DEFAULT);
    }

    /** An input that is read once, by the thread that opens it: how Lucene reads metadata. */
    @Benchmark
    public byte openOnce(Files files) throws IOException {
      return readFirst(files, IOContext.READONCE);
    }

    /** A file of 4 KiB written, opened, read, closed and deleted: a small flush and its merge. */
    @Benchmark
    public byte createOpenDelete(Files files) throws IOException {
      Directory directory = files.directory();
      String name = DirectoryState.fileName(files.segments.getAndIncrement());
      try (IndexOutput out =
          directory.createOutput(name, IOContext.flush(new FlushInfo(1, SMALL_BYTES)))) {
        out.writeBytes(files.block.bytes(), SMALL_BYTES);
      }
      byte last;
      try (IndexInput in = directory.openInput(name, IOContext.DEFAULT)) {
        in.seek(SMALL_BYTES - 1);
        last = in.readByte();
      }
      directory.deleteFile(name);
      return last;
    }

    private byte readFirst(Files files, IOContext context) throws IOException {
      turn = (turn + 1) % Files.COUNT;
      try (IndexInput in = files.directory().openInput(DirectoryState.fileName(turn), context)) {
        return in.readByte();
      }
    }

    /** Files to open and close, one for each of several segments, while another may be read. */
    public static class Files extends DirectoryState {
      private static final int COUNT = 16;

      /** Threads that read another file meanwhile. */
      @Param({"0", "4"})
      public int readers;

      final Block block = Block.randomBytes();
      private final AtomicLong segments = new AtomicLong(COUNT);
      private @Nullable BusyReaders busyReaders;

      @Override
      void prepare(Directory directory) throws IOException {
        for (int i = 0; i < COUNT; i++) {
          write(directory, fileName(i), block, 1);
        }
        busyReaders = new BusyReaders(readers, directory);
      }

      @Override
      void release() throws IOException {
        IOUtils.close(busyReaders);
      }
    }
  }

  /**
   * Closing a reader of a whole index while threads read from another file of the directory. Every
   * reader was opened and searched just before, as a reopen does it.
   */
  @BenchmarkMode(Mode.SampleTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public static class CloseReader {
    /** A word that every document has. */
    private static final Term COMMON = new Term(Fields.BODY, "common");

    @Benchmark
    public void close(Opened opened) throws IOException {
      Objects.requireNonNull(opened.reader).close();
    }

    @State(Scope.Thread)
    public static class Opened {
      private @Nullable DirectoryReader reader;

      @Setup(Level.Invocation)
      public void open(Index index) throws IOException {
        reader = DirectoryReader.open(index.directory());
        new IndexSearcher(reader).search(new TermQuery(COMMON), 1);
      }
    }

    /** An index of made-up documents with all fields, and threads that read another file. */
    public static class Index extends DirectoryState {
      private static final int SEGMENT_DOCUMENTS = 200;
      private static final int WORDS_A_DOCUMENT = 60;
      private static final int WORDS = 5_000;

      @Param("20")
      public int segments;

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
            LineDocument line =
                new LineDocument("title " + i, i * 1_000_000L, body.toString(), null);
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

  /** {@link RamDirectory#load}, checksums verified, of files that are in the page cache. */
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public static class LoadRam {

    @Benchmark
    public void load(Source source) throws IOException {
      RamDirectory.load(
              source.directory(),
              RamDirectory.builder().loadThreads(Runtime.getRuntime().availableProcessors()))
          .close();
    }

    /** The files of an index of stored fields, with a segment in 64 MB. */
    public static class Source extends DirectoryState {
      private static final double SEGMENT_MEGABYTES = 64;

      @Param("512m")
      public String indexBytes = "";

      @Override
      void prepare(Directory opened) throws IOException {
        byte[] contents = Block.randomBytes().bytes();
        try (IndexWriter writer =
            new IndexWriter(
                opened,
                new IndexWriterConfig()
                    .setRAMBufferSizeMB(SEGMENT_MEGABYTES)
                    .setMergePolicy(NoMergePolicy.INSTANCE)
                    .setUseCompoundFile(false))) {
          for (long left = ByteCount.parse(indexBytes); left > 0; left -= contents.length) {
            writer.addDocument(List.of(new StoredField("contents", contents)));
          }
          writer.commit();
        }
      }
    }
  }

  /**
   * Threads that read longs at random positions of a file of their own, without a pause, until they
   * are closed.
   *
   * <p>They keep the process in the state in which a search node closes files: releasing memory
   * that is shared by threads has to wait until each of them is known to be elsewhere.
   */
  static final class BusyReaders implements Closeable {
    private static final String NAME = "_busy.dat";
    private static final int BLOCKS = 16;
    private static final int READS_BETWEEN_CHECKS = 1 << 10;

    private final IndexInput input;
    private final ExecutorService threads;
    private final List<Future<Long>> running = new ArrayList<>();
    private volatile boolean stopped;

    /** Writes the file and starts that many threads. */
    BusyReaders(int count, Directory directory) throws IOException {
      DirectoryState.write(directory, NAME, Block.randomBytes(), BLOCKS);
      input = directory.openInput(NAME, IOContext.DEFAULT);
      threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
      for (int i = 0; i < count; i++) {
        IndexInput clone = input.clone();
        long seed = Block.SEED + i;
        running.add(threads.submit(() -> read(clone, new SplittableRandom(seed))));
      }
    }

    private long read(IndexInput in, SplittableRandom random) throws IOException {
      long bound = in.length() - Long.BYTES;
      long sum = 0;
      while (!stopped) {
        for (int i = 0; i < READS_BETWEEN_CHECKS; i++) {
          in.seek(random.nextLong(bound));
          sum += in.readLong();
        }
      }
      return sum;
    }

    /**
     * Ends the threads.
     *
     * @throws IOException if one of them failed, which makes what was measured worthless
     */
    @Override
    public void close() throws IOException {
      stopped = true;
      threads.close();
      try (input) {
        for (Future<Long> one : running) {
          one.get();
        }
      } catch (ExecutionException | InterruptedException e) {
        throw new IOException("a busy reader failed", e);
      }
    }
  }
}
