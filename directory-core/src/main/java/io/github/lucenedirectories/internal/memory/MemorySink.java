package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/**
 * Takes the bytes of one new file into memory. {@link #seal} or {@link #discard} ends it;
 * afterwards the others throw {@link org.apache.lucene.store.AlreadyClosedException}, and {@code
 * discard} does nothing. A call from a second thread does no harm but to the order of the bytes.
 */
public interface MemorySink {

  /**
   * Appends bytes.
   *
   * @throws IOException if there is no memory; nothing was appended then
   */
  void append(byte[] bytes, int offset, int length) throws IOException;

  /** Passes on what was appended so far. */
  void writeTo(IndexOutput output) throws IOException;

  /**
   * Completes the file.
   *
   * @throws IOException if there is no memory; the sink is as it was then
   */
  FileContents seal() throws IOException;

  /** Drops what was appended. */
  void discard();
}
