// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.variants.Variant.Use;
import io.github.lucenedirectories.variants.Variants;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Single operations on a file in memory: reads, views, and the life of an input as a reopen goes
 * through it. {@code ./run micro} passes its arguments to JMH.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 3,
    jvmArgs = {
      "-Xms1g",
      "-Xmx1g",
      "--add-modules=jdk.incubator.vector",
      "--enable-native-access=ALL-UNNAMED",
      "--sun-misc-unsafe-memory-access=allow"
    })
@Warmup(iterations = 3, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
public class MicroBenchmark {
  private static final int READS = 1024;
  private static final int VALUES = 128;
  private static final int BLOCK_BYTES = 4096;
  private static final long SEED = 0x5EED_0002L;
  private static final String NAME = "_0.dat";

  /** The name of a variant. */
  @Param({
    Variants.BASELINE,
    "NIOFSDirectory",
    "ByteBuffersDirectory",
    "MappedDirectory",
    "RamDirectory",
    "NioDirectory"
  })
  public String directory = "";

  @Param("16")
  public int fileMegabytes;

  private final byte[] block = new byte[BLOCK_BYTES];
  private final AtomicLong segments = new AtomicLong();
  private Path folder;
  private Directory opened;
  private IndexInput input;
  private long bytes;

  /** One thread's input, its random places, and arrays to read into. */
  @State(Scope.Thread)
  public static class Reader {
    private final int[] ints = new int[VALUES];
    private final byte[] block = new byte[BLOCK_BYTES];
    private SplittableRandom random;
    private long mostPosition;
    private IndexInput in;

    @Setup
    public void setUp(MicroBenchmark file, ThreadParams thread) {
      random = new SplittableRandom(SEED + thread.getThreadIndex());
      mostPosition = file.bytes - BLOCK_BYTES;
      in = file.input.clone();
    }

    private long position() {
      return random.nextLong(mostPosition);
    }

    /** The input at a place with room for so many bytes, or at its start. */
    private IndexInput next(int room) throws IOException {
      if (in.getFilePointer() + room > mostPosition) {
        in.seek(0);
      }
      return in;
    }

    private IndexInput somewhere() throws IOException {
      in.seek(position());
      return in;
    }
  }

  /** Writes integers of variable length like gaps between documents; each place begins one. */
  @Setup
  public void setUp() throws IOException {
    folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/micro")), "jmh-");
    opened = Variants.named(directory, Use.WRITE).open(folder);
    SplittableRandom random = new SplittableRandom(SEED);
    try (IndexOutput out = opened.createOutput(NAME, IOContext.DEFAULT)) {
      while (out.getFilePointer() < (long) fileMegabytes << 20) {
        out.writeVInt(random.nextInt(1 << (random.nextInt(10) < 6 ? 7 : 14)));
      }
      bytes = out.getFilePointer();
    }
    input = opened.openInput(NAME, IOContext.DEFAULT);
  }

  @TearDown
  public void tearDown() throws IOException {
    IOUtils.close(input, opened, () -> IOUtils.rm(folder));
  }

  @Benchmark
  @OperationsPerInvocation(READS)
  public void sequentialByte(Reader reader, Blackhole hole) throws IOException {
    IndexInput in = reader.next(READS);
    for (int i = 0; i < READS; i++) {
      hole.consume(in.readByte());
    }
  }

  @Benchmark
  @OperationsPerInvocation(READS)
  public void sequentialVInt(Reader reader, Blackhole hole) throws IOException {
    IndexInput in = reader.next(READS * Integer.BYTES);
    for (int i = 0; i < READS; i++) {
      hole.consume(in.readVInt());
    }
  }

  @Benchmark
  public long randomLong(Reader reader) throws IOException {
    return reader.somewhere().readLong();
  }

  /** As many as in a block of Lucene's postings. */
  @Benchmark
  public int[] randomInts(Reader reader) throws IOException {
    reader.somewhere().readInts(reader.ints, 0, VALUES);
    return reader.ints;
  }

  @Benchmark
  public byte[] randomBlock(Reader reader) throws IOException {
    reader.somewhere().readBytes(reader.block, 0, BLOCK_BYTES);
    return reader.block;
  }

  @Benchmark
  public IndexInput slice(Reader reader) throws IOException {
    return reader.in.slice("part", reader.position(), BLOCK_BYTES);
  }

  @Benchmark
  public long sliceAndRead(Reader reader) throws IOException {
    return reader.in.slice("part", reader.position(), BLOCK_BYTES).readLong();
  }

  /** Each call is a sample, since the slow ones are those that hurt. */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public byte open() throws IOException {
    try (IndexInput in = opened.openInput(NAME, IOContext.DEFAULT)) {
      return in.readByte();
    }
  }

  /** A file written, opened, read, closed and deleted: a small flush and its merge. */
  @Benchmark
  @BenchmarkMode(Mode.SampleTime)
  public byte createOpenDelete() throws IOException {
    String name = "_" + Long.toString(segments.incrementAndGet(), Character.MAX_RADIX) + ".dat";
    IOContext flush = IOContext.flush(new FlushInfo(1, BLOCK_BYTES));
    try (IndexOutput out = opened.createOutput(name, flush)) {
      out.writeBytes(block, BLOCK_BYTES);
    }
    try (IndexInput in = opened.openInput(name, IOContext.DEFAULT)) {
      in.seek(BLOCK_BYTES - 1);
      return in.readByte();
    } finally {
      opened.deleteFile(name);
    }
  }
}
