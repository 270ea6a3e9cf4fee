package io.github.lucenedirectories.benchmarks.jmh;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;

/** Files to open and close, one for each of several segments, while others may be read. */
public class OpenFiles extends DirectoryState {
  /** More threads than any machine needs to be busy. */
  static final int MAX_READERS = 1024;

  private static final int FILES = 16;
  private static final int BUSY_BLOCKS = 16;
  private static final String BUSY_NAME = "_busy.dat";

  /** Threads that read another file meanwhile. */
  @Param({"0", "4"})
  public int readers;

  final Block block = Block.randomBytes();
  private final AtomicLong segments = new AtomicLong(FILES);
  private @Nullable IndexInput busyInput;
  private @Nullable BusyReaders busyReaders;

  @Override
  void prepare(Directory directory) throws IOException {
    for (int i = 0; i < FILES; i++) {
      write(directory, name(i), 1);
    }
    write(directory, BUSY_NAME, BUSY_BLOCKS);
    IndexInput input = directory.openInput(BUSY_NAME, IOContext.DEFAULT);
    busyInput = input;
    busyReaders = BusyReaders.start(readers, input);
  }

  private void write(Directory directory, String name, int blocks) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      for (int i = 0; i < blocks; i++) {
        out.writeBytes(block.bytes(), block.bytes().length);
      }
    }
  }

  @Override
  void release() throws IOException {
    IOUtils.close(busyReaders, busyInput);
  }

  /** One of the files, named as of its segment; any number is taken around. */
  String existing(int number) {
    return name(number % FILES);
  }

  /** A name of a segment that was not there before. */
  String fresh() {
    return name(segments.getAndIncrement());
  }

  private static String name(long segment) {
    return "_" + Long.toString(segment, Character.MAX_RADIX) + ".dat";
  }
}
