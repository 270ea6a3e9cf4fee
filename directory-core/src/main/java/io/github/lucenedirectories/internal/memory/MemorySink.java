package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import org.apache.lucene.store.IndexOutput;

/**
 * Takes the bytes of one new file into memory. {@link #seal} or {@link #discard} ends it;
 * afterwards all other methods throw {@link org.apache.lucene.store.AlreadyClosedException}, and
 * {@code discard} does nothing. A second thread can disturb only the order of the bytes.
 */
public interface MemorySink {

  /**
   * Appends bytes.
   *
   * @throws IOException if there is no memory; then nothing was appended
   */
  void append(byte[] bytes, int offset, int length) throws IOException;

  /** Writes the bytes appended so far to an output. */
  void writeTo(IndexOutput output) throws IOException;

  /**
   * Completes the file.
   *
   * @throws IOException if there is no memory; the sink is then unchanged
   */
  FileContents seal() throws IOException;

  /** Drops the appended bytes. */
  void discard();
}
