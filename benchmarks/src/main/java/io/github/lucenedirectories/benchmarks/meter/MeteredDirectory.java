package io.github.lucenedirectories.benchmarks.meter;

import java.io.IOException;
import java.util.Collection;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.ReadOnceHint;

/**
 * A directory that measures how long another one takes for its calls: its own, those of the outputs
 * it creates, and those of the inputs it opens. Closing it closes the other.
 *
 * <p>What it leaves out: clones and slices are the other directory's own objects, so that searches
 * run as without it, and no time of theirs is counted. Small writes gather in blocks of {@value
 * MeteredOutput#BLOCK_BYTES} bytes and small reads of files that are read once come from such
 * blocks, the same for every directory: two looks at the clock take longer than one byte does. So
 * what a directory spends on passing single bytes is not counted either. Time is wall-clock time,
 * and includes what a thread waits for a lock of the directory, for the disk, or for a processor.
 *
 * <p>Locks are the other directory's own.
 */
public final class MeteredDirectory extends FilterDirectory {
  private final Meter meter;

  public MeteredDirectory(Directory in, Meter meter) {
    super(in);
    this.meter = meter;
  }

  @Override
  public String[] listAll() throws IOException {
    return meter.get(Operation.LOOK, in::listAll);
  }

  @Override
  public long fileLength(String name) throws IOException {
    return meter.get(Operation.LOOK, () -> in.fileLength(name));
  }

  @Override
  public Set<String> getPendingDeletions() throws IOException {
    return meter.get(Operation.LOOK, in::getPendingDeletions);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    meter.run(Operation.DELETE, () -> in.deleteFile(name));
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    meter.run(Operation.RENAME, () -> in.rename(source, dest));
  }

  @Override
  public void sync(Collection<String> names) throws IOException {
    meter.run(Operation.SYNC, () -> in.sync(names));
  }

  @Override
  public void syncMetaData() throws IOException {
    meter.run(Operation.SYNC, in::syncMetaData);
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return MeteredOutput.of(
        meter.get(Operation.CREATE, () -> in.createOutput(name, context)), meter);
  }

  @Override
  public IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    return MeteredOutput.of(
        meter.get(Operation.CREATE, () -> in.createTempOutput(prefix, suffix, context)), meter);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    IndexInput input = meter.get(Operation.OPEN, () -> in.openInput(name, context));
    return context.hints().contains(ReadOnceHint.INSTANCE)
        ? new MeteredOnceInput(input, meter)
        : new MeteredInput(input, meter);
  }
}
