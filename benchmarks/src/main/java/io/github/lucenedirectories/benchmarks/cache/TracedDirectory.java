package io.github.lucenedirectories.benchmarks.cache;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.ReadSizes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.ReadOnceHint;

/** A directory that records what a block cache in its place would be asked for. */
final class TracedDirectory extends FilterDirectory {

  private final Path folder;
  private final AccessTrace trace;

  TracedDirectory(Path folder, AccessTrace trace) throws IOException {
    super(new NIOFSDirectory(folder));
    this.folder = folder;
    this.trace = trace;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return in.openInput(name, context);
    }
    PositionalFile file = PositionalFile.open(folder.resolve(name));
    return new BlockIndexInput(
        "traced " + name,
        name,
        new TracedFile(file, trace.newFile()),
        ReadSizes.DEFAULT,
        null,
        context);
  }

  private final class TracedFile implements PositionalFile {
    private final PositionalFile file;
    private final int number;

    TracedFile(PositionalFile file, int number) {
      this.file = file;
      this.number = number;
    }

    @Override
    public long length() {
      return file.length();
    }

    @Override
    public void ensureOpen() {
      file.ensureOpen();
    }

    @Override
    public void read(long pos, byte[] target, int offset, int length) throws IOException {
      trace.add(
          number, pos / AccessTrace.BLOCK_BYTES, (pos + length - 1) / AccessTrace.BLOCK_BYTES);
      file.read(pos, target, offset, length);
    }

    @Override
    public void read(long pos, MemorySegment target) throws IOException {
      file.read(pos, target);
    }

    @Override
    public PositionalFile streamed() {
      return file;
    }

    @Override
    public void prefetch(long pos, long length) {}

    @Override
    public Optional<Boolean> isLoaded(long pos, long length) {
      return Optional.empty();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
