// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.variants;

import io.github.lucenedirectories.internal.file.BlockIndexInput;
import io.github.lucenedirectories.internal.file.PositionalFile;
import io.github.lucenedirectories.internal.file.ReadSizes;
import io.github.lucenedirectories.internal.store.FileKind;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.NIOFSDirectory;
import org.apache.lucene.store.ReadOnceHint;

/**
 * Reads an index and records which blocks of {@value #BLOCK_BYTES} bytes a block cache would be
 * asked for. The file is in the ARC text format of Caffeine's simulator, compressed by gzip: a line
 * for each read with its first block, how many blocks it has, 0, and the number of the read. The
 * blocks of all files are numbered one after another. Any thread may read.
 */
public final class TracedDirectory extends ReadOnlyDirectory {
  private static final int BLOCK_BYTES = 1 << 12;

  private final Path index;
  private final Writer trace;
  private final Map<String, Long> firstBlocks = new HashMap<>();
  private long nextBlock;
  private long reads;

  private TracedDirectory(Path index, Writer trace) throws IOException {
    super(new NIOFSDirectory(index));
    this.index = index;
    this.trace = trace;
  }

  /** Opens an index and writes a new trace, which is complete when the directory is closed. */
  public static TracedDirectory open(Path index, Path trace) throws IOException {
    return new TracedDirectory(
        index,
        new BufferedWriter(
            new OutputStreamWriter(
                new GZIPOutputStream(Files.newOutputStream(trace)), StandardCharsets.UTF_8)));
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (context.hints().contains(ReadOnceHint.INSTANCE)) {
      return in.openInput(name, context);
    }
    PositionalFile file = PositionalFile.open(index.resolve(name));
    return new BlockIndexInput(
        "traced " + name,
        name,
        new TracedFile(file, firstBlock(name, file.length())),
        ReadSizes.DEFAULT,
        null,
        context);
  }

  private synchronized long firstBlock(String name, long length) {
    Long known = firstBlocks.putIfAbsent(name, nextBlock);
    if (known == null) {
      nextBlock += Math.ceilDiv(length, BLOCK_BYTES);
    }
    return firstBlocks.getOrDefault(name, 0L);
  }

  private synchronized void record(long first, long count) throws IOException {
    trace.write(first + " " + count + " 0 " + reads++ + "\n");
  }

  @Override
  public synchronized void close() throws IOException {
    try (trace) {
      super.close();
    }
  }

  private final class TracedFile implements PositionalFile {
    private final PositionalFile file;
    private final long firstBlock;

    TracedFile(PositionalFile file, long firstBlock) {
      this.file = file;
      this.firstBlock = firstBlock;
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
      long first = pos / BLOCK_BYTES;
      record(firstBlock + first, (pos + length - 1) / BLOCK_BYTES - first + 1);
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
    public void prefetch(FileKind kind, long pos, long length) {}

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
