// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IOContext;

/** Holds the files of a {@link MemoryFileTable}. All methods may be called from any thread. */
public interface FileMemory {

  /** A file longer than this, a power of two, is read as several chunks. */
  long chunkBytes();

  /** A sink for a new file; {@code context} may estimate its length. */
  MemorySink newSink(String file, IOContext context) throws IOException;

  /**
   * Copies the bytes of a small new file into memory.
   *
   * @throws IOException if there is no memory
   */
  FileContents copyOf(String file, byte[] bytes, int length) throws IOException;

  /** Releases the memory of a file. No reader may be added after this. */
  void release(FileContents memory);
}
