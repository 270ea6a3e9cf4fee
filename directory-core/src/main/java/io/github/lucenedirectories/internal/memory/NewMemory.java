package io.github.lucenedirectories.internal.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a new file whose length is known. Several threads may write parts of it; {@link #seal},
 * {@link #share} or {@link #discard} ends the writing, once, when they have finished.
 */
public interface NewMemory {

  /** The bytes of the file. Not to be used any more after the end of the writing. */
  MemorySegment bytes();

  /**
   * Completes the file.
   *
   * @throws IOException if the memory cannot be made what the options demand; it must then be
   *     discarded
   */
  FileContents seal() throws IOException;

  /**
   * Ends the writing by this object: who has the result writes and reads the memory.
   *
   * @throws IOException as {@link #seal} does
   */
  SharedMemory share() throws IOException;

  /** Gives the memory back. Does nothing after a successful {@link #seal} or {@link #share}. */
  void discard();
}
