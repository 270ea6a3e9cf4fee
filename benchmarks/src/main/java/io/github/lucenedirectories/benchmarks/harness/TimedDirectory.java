package io.github.lucenedirectories.benchmarks.harness;

import io.github.lucenedirectories.benchmarks.harness.DirectoryTimer.Operation;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FilterIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.OutputStreamIndexOutput;
import org.apache.lucene.store.RandomAccessInput;

/**
 * A directory that measures how long another one takes: for its own calls, for those of the outputs
 * it creates, and for opening and closing inputs. Closing it closes the other.
 *
 * <p>Reads are not measured, and clones and slices are the other directory's own objects, so that
 * searches run as without it. Bytes are written in blocks of {@value #BLOCK_BYTES}: looking at the
 * clock takes longer than passing one byte. Time is wall-clock time. It includes waiting for a lock
 * of the directory, for the disk and for a processor. Locks are the other directory's own.
 */
public final class TimedDirectory extends FilterDirectory {
  /** The most bytes that are gathered. A larger write goes through as it is. */
  static final int BLOCK_BYTES = 8 * 1024;

  private final DirectoryTimer timer;

  /** Measures calls to a directory. */
  public TimedDirectory(Directory in, DirectoryTimer timer) {
    super(in);
    this.timer = timer;
  }

  @Override
  public String[] listAll() throws IOException {
    return timer.get(Operation.LOOK, in::listAll);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return timer.get(Operation.LOOK, () -> in.fileLength(name));
  }

  @Override
  public Set<String> getPendingDeletions() throws IOException {
    return timer.get(Operation.LOOK, in::getPendingDeletions);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    timer.run(Operation.DELETE, () -> in.deleteFile(name));
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    timer.run(Operation.RENAME, () -> in.rename(source, dest));
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    timer.run(Operation.SYNC, () -> in.sync(names));
  }

  @Override
  public void syncMetaData() throws IOException {
    timer.run(Operation.SYNC, in::syncMetaData);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return output(timer.get(Operation.CREATE, () -> in.createOutput(name, context)));
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return output(timer.get(Operation.CREATE, () -> in.createTempOutput(prefix, suffix, context)));
  }

  private IndexOutput output(IndexOutput out) {
    return new OutputStreamIndexOutput(
        out.toString(), out.getName(), new Output(out, timer), BLOCK_BYTES);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    return new Input(timer.get(Operation.OPEN, () -> in.openInput(name, context)), timer);
  }

  /** Passes blocks on. Lucene's output over a stream gathers them and computes the checksum. */
  private static final class Output extends OutputStream {
    private final IndexOutput out;
    private final DirectoryTimer timer;

    Output(IndexOutput out, DirectoryTimer timer) {
      this.out = out;
      this.timer = timer;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      timer.run(Operation.WRITE, () -> out.writeBytes(bytes, offset, length));
    }

    @Override
    public void close() throws IOException {
      timer.run(Operation.FINISH, out::close);
    }
  }

  /** Measures its close and what it is asked for ahead. Clones and slices are the other's own. */
  private static final class Input extends FilterIndexInput {
    private final DirectoryTimer timer;

    Input(IndexInput in, DirectoryTimer timer) {
      super(in.toString(), in);
      this.timer = timer;
    }

    @Override
    public IndexInput clone() {
      return in.clone();
    }

    @Override
    public IndexInput slice(String description, long offset, long length, IOContext context)
        throws IOException {
      return in.slice(description, offset, length, context);
    }

    @Override
    public RandomAccessInput randomAccessSlice(long offset, long length) throws IOException {
      return in.randomAccessSlice(offset, length);
    }

    @Override
    public void prefetch(long offset, long length) throws IOException {
      timer.run(Operation.PREFETCH, () -> in.prefetch(offset, length));
    }

    @Override
    public void updateIOContext(IOContext context) throws IOException {
      in.updateIOContext(context);
    }

    @Override
    public Optional<Boolean> isLoaded() {
      return in.isLoaded();
    }

    @Override
    public void close() throws IOException {
      timer.run(Operation.CLOSE, in::close);
    }
  }
}
