package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IOContext;

/** Where the files of a {@link MemoryFileTable} lie. All methods may be called from any thread. */
public interface FileMemory {

  /** A file longer than this, a power of two, is read as several chunks. */
  long chunkBytes();

  /** A sink for a new file, of whose length {@code context} gives an idea. */
  MemorySink newSink(String file, IOContext context) throws IOException;

  /**
   * The memory of a small new file.
   *
   * @throws IOException if there is no memory
   */
  FileContents copyOf(String file, byte[] bytes, int length) throws IOException;

  /** Gives the memory of a file back. No reader may be added after this. */
  void release(FileContents memory);
}
