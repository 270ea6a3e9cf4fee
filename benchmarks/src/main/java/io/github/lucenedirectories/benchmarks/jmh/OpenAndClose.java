// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * The life of an input, as a reopen goes through it: open, a first read, close. Every call is
 * sampled, since the slow ones are the ones that hurt.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class OpenAndClose extends MicroBenchmark {
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
    IOContext flush = IOContext.flush(new FlushInfo(1, SMALL_BYTES));
    try (IndexOutput out = directory.createOutput(name, flush)) {
      out.writeBytes(files.block, SMALL_BYTES);
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

  /** Files to open and close, one for each of several segments. */
  public static class Files extends DirectoryState {
    private static final int COUNT = 16;

    final byte[] block = Block.randomBytes();
    private final AtomicLong segments = new AtomicLong(COUNT);

    @Override
    void prepare(Directory directory) throws IOException {
      for (int i = 0; i < COUNT; i++) {
        try (IndexOutput out = directory.createOutput(fileName(i), IOContext.DEFAULT)) {
          out.writeBytes(block, block.length);
        }
      }
    }
  }
}
