// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.harness;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOSupplier;

/**
 * A directory that measures how long another one takes: for its own calls, and for those of the
 * outputs it creates. Closing it closes the other.
 *
 * <p>Inputs are the other directory's own objects, so that searches run as without it. Bytes are
 * written in blocks of {@value #BLOCK_BYTES}: looking at the clock takes longer than passing one
 * byte. Time is wall-clock time. It includes waiting for a lock of the directory, for the disk and
 * for a processor. Locks are the other directory's own.
 *
 * <p>Any thread may use it. Each adds to counters of its own, so that none waits for another.
 */
public final class TimedDirectory extends FilterDirectory {
  /** The most bytes that are gathered. A larger write goes through as it is. */
  static final int BLOCK_BYTES = 8 * 1024;

  private final LongSupplier clock;
  private final ThreadLocal<OwnTime> own = ThreadLocal.withInitial(() -> OwnTime.NONE);

  public TimedDirectory(Directory in) {
    this(in, System::nanoTime);
  }

  TimedDirectory(Directory in, LongSupplier clock) {
    super(in);
    this.clock = clock;
  }

  /** Makes a call and adds its time, even if it throws. */
  private <T> T get(boolean makesDurable, IOSupplier<T> call) throws IOException {
    long start = clock.getAsLong();
    try {
      return call.get();
    } finally {
      long took = clock.getAsLong() - start;
      OwnTime before = own.get();
      own.set(
          makesDurable
              ? new OwnTime(before.durable + took, before.other)
              : new OwnTime(before.durable, before.other + took));
    }
  }

  private void run(boolean makesDurable, IORunnable call) throws IOException {
    get(
        makesDurable,
        () -> {
          call.run();
          return "";
        });
  }

  /** The time of this thread's calls so far. */
  public OwnTime ofThisThread() {
    return own.get();
  }

  @Override
  public String[] listAll() throws IOException {
    return get(false, in::listAll);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return get(false, () -> in.fileLength(name));
  }

  @Override
  public Set<String> getPendingDeletions() throws IOException {
    return get(false, in::getPendingDeletions);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    run(false, () -> in.deleteFile(name));
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    run(true, () -> in.rename(source, dest));
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    run(true, () -> in.sync(names));
  }

  @Override
  public void syncMetaData() throws IOException {
    run(true, in::syncMetaData);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return output(get(false, () -> in.createOutput(name, context)));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return output(get(false, () -> in.createTempOutput(prefix, suffix, context)));
  }

  private IndexOutput output(IndexOutput out) {
    return new OutputStreamIndexOutput(out.toString(), out.getName(), new Output(out), BLOCK_BYTES);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return get(false, () -> in.openInput(name, context));
  }

  /** Passes blocks on. Lucene's output over a stream gathers them and computes the checksum. */
  private final class Output extends OutputStream {
    private final IndexOutput out;

    Output(IndexOutput out) {
      this.out = out;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      run(false, () -> out.writeBytes(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
      run(false, out::close);
    }
  }

  /**
   * Nanoseconds of calls: of sync, syncMetaData and rename, which make a commit durable; others.
   */
  public record OwnTime(long durable, long other) {
    public static final OwnTime NONE = new OwnTime(0, 0);

    public long all() {
      return durable + other;
    }

    public OwnTime since(OwnTime earlier) {
      return new OwnTime(durable - earlier.durable, other - earlier.other);
    }
  }
}
