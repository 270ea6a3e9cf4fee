// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.Constants;

/**
 * Reports and influences which bytes of a {@link SegmentIndexInput} are in physical memory.
 *
 * <p>One object serves an input, its clones and its slices, from any thread. The segments passed in
 * are ranges of the input's chunks.
 */
public interface Residency {

  /** Bytes that are always in memory: every hint is a no-op. */
  Residency RESIDENT = new Residency() {};

  /** Starts to load the range, without waiting, unless it is likely loaded already. */
  default void prefetch(MemorySegment range) throws IOException {}

  /** The kind of the whole file. */
  default FileKind kind() {
    return FileKind.OTHER;
  }

  /**
   * Whether the kernel loads only what is read of a file, or of a part, of this kind. Then an input
   * has to prefetch a run itself, and to say what was {@linkplain #used used}.
   */
  default boolean isRandom(FileKind part) {
    return false;
  }

  /**
   * Shows the kernel that a range was read, as far as {@link #isRandom} hides it.
   *
   * @param from the first byte, in the chunk
   * @param to the end of the range, behind {@code from}
   */
  default void used(MemorySegment chunk, long from, long to) {}

  /** Announces that the range holds a file opened with the given context. */
  default void advise(MemorySegment range, String name, IOContext context) throws IOException {}

  /** Whether the range is likely in physical memory; empty if that cannot be known. */
  default Optional<Boolean> isLoaded(MemorySegment range) {
    return Optional.of(true);
  }

  /**
   * Whether the kernel shows this process which pages of a mapped file are in memory. Since 5.2,
   * Linux reports all pages as resident to a process that neither owns the file nor may write it,
   * to hide what others read.
   */
  static boolean canObserve(Path file) {
    try {
      if (!Constants.LINUX || Files.isWritable(file)) {
        return true;
      }
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      return user.equals(0) || user.equals(Files.getAttribute(file, "unix:uid"));
    } catch (IOException | RuntimeException _) {
      // Unknown, as without /proc.
      return false;
    }
  }
}
