package io.github.lucenedirectories.core;

import java.io.IOException;

/**
 * Takes the bytes of one new file into memory. It serves one thread at a time; exactly one of
 * {@link #seal} and {@link #discard} ends it.
 */
interface MemorySink {

  /**
   * Appends bytes.
   *
   * @throws IOException if there is no memory; the sink must then be discarded
   */
  void append(byte[] bytes, int offset, int length) throws IOException;

  /**
   * Completes the file.
   *
   * @throws IOException if there is no memory; the sink must then be discarded
   */
  SealedMemory seal() throws IOException;

  /** Drops what was appended. */
  void discard();
}
