package io.github.lucenedirectories.benchmarks.jmh;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.ram.RamDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.NRTCachingDirectory;
import org.apache.lucene.util.GroupVIntUtil;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.LongValues;
import org.apache.lucene.util.packed.DirectReader;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * What a read pays when its call sites also meet another directory in the same JVM.
 *
 * <p>It pays nothing where both directories bring one class of input. Where they bring two, calls
 * that the compiler had inlined become tests of types or virtual calls.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MixedDirectories {
  /** The names of the two directories, ours and Lucene's, that each hold both kinds of file. */
  static final List<String> PAIRS = List.of("NRTCachingDirectory", "RamOverMapped");

  private static final int SINGLE_READS = 1 << 14;
  private static final int GROUP_READS = 1 << 7;
  private static final long STRIDE = 7;

  /** One value of 16 bits, through Lucene's reader of numeric doc values: a sort by a field. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long docValue(DocValues pair, Blackhole hole) throws IOException {
    return pair.sum(hole);
  }

  /** One integer in variable length. */
  @Benchmark
  @OperationsPerInvocation(SINGLE_READS)
  public long vInt(VInts pair, Blackhole hole) throws IOException {
    return pair.sum(hole);
  }

  /** 128 integers in groups of four, as in a block of postings. */
  @Benchmark
  @OperationsPerInvocation(GROUP_READS)
  public long groupVInt(GroupVInts pair, Blackhole hole) throws IOException {
    return pair.sum(hole);
  }

  /**
   * A file in memory and a mapped one with the same contents. The loop reads one of them in the
   * measured time and, if asked to, the other one just before.
   */
  public abstract static class Pair extends DirectoryState {
    private static final double CACHE_MEGABYTES = 64;
    private static final int BLOCKS = 8;

    /** The file that is read in the measured time. */
    @Param({"memory", "mapped"})
    public String file = "";

    /** Whether the JVM reads the other file too, through the same loop, outside that time. */
    @Param({"alone", "mixed"})
    public String company = "";

    private @Nullable Directory files;
    private List<IndexInput> inputs = List.of();

    /** What the loop returned for the other file. */
    long otherSum;

    private boolean isLucenes() {
      return directory.equals(PAIRS.getFirst());
    }

    @Override
    Directory open(Path empty) throws IOException {
      return isLucenes()
          ? new NRTCachingDirectory(new MMapDirectory(empty), CACHE_MEGABYTES, CACHE_MEGABYTES)
          : new RamDirectory();
    }

    @Override
    void prepare(Directory memory) throws IOException {
      Directory mapped = isLucenes() ? memory : new MappedDirectory(folder());
      files = mapped;
      // Lucene's caching directory keeps what a flush writes, and passes on what has no context.
      IOContext flush = IOContext.flush(new FlushInfo(1, (long) BLOCKS * block().bytes().length));
      inputs = List.of(write(memory, "_0.dat", flush), write(mapped, "_1.dat", IOContext.DEFAULT));
    }

    private IndexInput write(Directory target, String name, IOContext context) throws IOException {
      byte[] bytes = block().bytes();
      try (IndexOutput out = target.createOutput(name, context)) {
        for (int i = 0; i < BLOCKS; i++) {
          out.writeBytes(bytes, bytes.length);
        }
      }
      return target.openInput(name, IOContext.DEFAULT);
    }

    /** Reads the other file. */
    @Setup(Level.Invocation)
    public void keepCompany(Blackhole hole) throws IOException {
      if (company.equals("mixed")) {
        otherSum = sum(inputs.get(file.equals("memory") ? 1 : 0), hole);
      }
    }

    @Override
    void release() throws IOException {
      IOUtils.close(() -> IOUtils.close(inputs), files);
    }

    /** The loop over the measured file. */
    final long sum(Blackhole hole) throws IOException {
      return sum(measuredInput(), hole);
    }

    /** The input of the measured file. */
    final IndexInput measuredInput() {
      return inputs.get(file.equals("memory") ? 0 : 1);
    }

    /** What the files hold. */
    abstract Block block();

    /** Reads from the start of the file, one value at a time, and sums up. */
    abstract long sum(IndexInput in, Blackhole hole) throws IOException;
  }

  /** Files of random values of 16 bits, of which every seventh is read. */
  public static class DocValues extends Pair {
    @Override
    Block block() {
      return Block.randomBytes();
    }

    @Override
    long sum(IndexInput in, Blackhole hole) throws IOException {
      LongValues values =
          DirectReader.getInstance(in.randomAccessSlice(0, in.length()), Short.SIZE);
      long sum = 0;
      for (int i = 0; i < SINGLE_READS; i++) {
        long value = values.get(STRIDE * i);
        hole.consume(value);
        sum += value;
      }
      return sum;
    }
  }

  /** Files of integers in variable length. */
  public static class VInts extends Pair {
    @Override
    Block block() {
      return Block.vInts();
    }

    @Override
    long sum(IndexInput in, Blackhole hole) throws IOException {
      in.seek(0);
      long sum = 0;
      for (int i = 0; i < SINGLE_READS; i++) {
        int value = in.readVInt();
        hole.consume(value);
        sum += value;
      }
      return sum;
    }
  }

  /** Files of runs of integers in groups of four. */
  public static class GroupVInts extends Pair {
    private final int[] values = new int[Block.GROUP_VALUES];

    @Override
    Block block() {
      return Block.groupVInts();
    }

    @Override
    long sum(IndexInput in, Blackhole hole) throws IOException {
      in.seek(0);
      long sum = 0;
      for (int i = 0; i < GROUP_READS; i++) {
        GroupVIntUtil.readGroupVInts(in, values, Block.GROUP_VALUES);
        sum += values[Block.GROUP_VALUES - 1];
      }
      return sum;
    }
  }
}
