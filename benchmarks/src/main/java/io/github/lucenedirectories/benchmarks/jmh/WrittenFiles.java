package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Files that are written and synced. */
public final class WrittenFiles {
  private WrittenFiles() {}

  /**
   * One file created, written and closed, without a sync. Its deletion is not measured. Every file
   * ends as Lucene's do, in a footer with a checksum, so that every directory computes one.
   */
  @BenchmarkMode(Mode.AverageTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public static class Writes {
    private static final int SMALL_FILES = 64;
    private static final int PIECE_BYTES = 1 << 13;
    private static final long LARGE_BYTES = 64L << 20;
    private static final IOContext MERGE =
        IOContext.merge(new MergeInfo(1 << 20, LARGE_BYTES, false, 1));

    /** A small file, in the context of a flush. */
    @Benchmark
    @OperationsPerInvocation(SMALL_FILES)
    public void small(NewFiles files, Written written, Small small) throws IOException {
      IOContext flush = IOContext.flush(new FlushInfo(1, small.size));
      for (int i = 0; i < SMALL_FILES; i++) {
        written.names.add(files.writeBytes(flush, small.size, PIECE_BYTES));
      }
    }

    /** A file of 64 MiB in pieces of 8 KiB, in the context of a merge. */
    @Benchmark
    public void large(NewFiles files, Written written) throws IOException {
      written.names.add(files.writeBytes(MERGE, LARGE_BYTES, PIECE_BYTES));
    }

    @State(Scope.Benchmark)
    public static class Small {
      /** Bytes, the footer's 16 included. */
      @Param({"100", "4096"})
      public int size;
    }

    /** The files that an invocation wrote, which are deleted outside the measured time. */
    @State(Scope.Thread)
    public static class Written {
      final List<String> names = new ArrayList<>();

      @TearDown(Level.Invocation)
      public void delete(NewFiles files) throws IOException {
        for (String name : names) {
          files.directory().deleteFile(name);
        }
        names.clear();
      }
    }

    /** A directory to create files in, and what to write into them. */
    public static class NewFiles extends DirectoryState {
      private final byte[] bytes = Block.randomBytes().bytes();
      private final AtomicLong segments = new AtomicLong();

      @Override
      void prepare(Directory directory) {}

      /** Writes a file of exactly that many bytes, a piece at a time, and returns its name. */
      String writeBytes(IOContext context, long fileBytes, int pieceBytes) throws IOException {
        String name = fileName(segments.getAndIncrement());
        try (IndexOutput out = directory().createOutput(name, context)) {
          long left = fileBytes - CodecUtil.footerLength();
          for (; left > 0; left -= pieceBytes) {
            out.writeBytes(bytes, (int) Math.min(left, pieceBytes));
          }
          CodecUtil.writeFooter(out);
        }
        return name;
      }
    }
  }

  /**
   * A sync of the new files of a commit, which were written just before, outside the measured time.
   */
  @BenchmarkMode(Mode.SampleTime)
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public static class Syncs {

    /** All files at once, as an index writer asks for them. */
    @Benchmark
    public void sync(Writes.NewFiles files, Unsynced unsynced) throws IOException {
      files.directory().sync(unsynced.names);
    }

    public static class Unsynced extends Writes.Written {
      private static final int LEAST_BYTES = 1_000;
      private static final int STEP_BYTES = 3_000;

      /** How many files; the first has 1,000 bytes, each further one 3,000 more. */
      @Param("12")
      public int count;

      @Setup(Level.Invocation)
      public void write(Writes.NewFiles files) throws IOException {
        for (int i = 0; i < count; i++) {
          int bytes = LEAST_BYTES + i * STEP_BYTES;
          names.add(files.writeBytes(IOContext.flush(new FlushInfo(1, bytes)), bytes, bytes));
        }
      }
    }
  }
}
