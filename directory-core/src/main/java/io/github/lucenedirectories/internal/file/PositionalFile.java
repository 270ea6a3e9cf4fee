// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.AvailableMemory;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.internal.store.FileKind;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A file open for positional reads by any number of threads, without locks between them.
 *
 * <p>Any thread may call {@link #close}, even during a read, which then returns this file's bytes
 * or throws; a read that begins after it throws {@link
 * org.apache.lucene.store.AlreadyClosedException}. Interrupts do not stop a read, and the thread
 * keeps its interrupt status.
 */
public interface PositionalFile extends Closeable {

  /** The length in bytes when the file was opened. */
  long length();

  /**
   * Checks that the file is open.
   *
   * @throws org.apache.lucene.store.AlreadyClosedException if it was closed
   */
  void ensureOpen();

  /**
   * Reads exactly {@code length} bytes.
   *
   * @param pos position in the file of the first byte
   * @throws java.io.EOFException if the file has become shorter than {@code pos + length}
   */
  void read(long pos, byte[] target, int offset, int length) throws IOException;

  /**
   * Starts to load a range into memory without waiting. This is a hint: it may do nothing, and does
   * nothing on a closed file.
   *
   * @param pos position in the file of the first byte
   * @param length how many bytes; the range ends within the file
   */
  default void prefetch(FileKind kind, long pos, long length) {}

  /** Whether an input counts its reads of this file: neither memory nor a cache, which counts. */
  default boolean countsReads() {
    return false;
  }

  /** Whether the last reads came from memory, so that their time is not worth recording. */
  default boolean readsMemory() {
    return true;
  }

  /**
   * Disables the system's own read-ahead for a long file: the system would take nearby reads for a
   * scan and load far ahead of them. Sequential readers call {@link #readAhead} instead. A short
   * file is prefetched whole.
   */
  default void takeOverReadAhead() {}

  /**
   * As {@link #prefetch}, for bytes that a reader will need next, or that are near those.
   *
   * @param length at least 1
   * @return false if the range was not prefetched because reads currently come from memory
   */
  default boolean readAhead(long pos, long length) {
    return true;
  }

  /**
   * What is in memory of a file: some bytes, and the units that have at least one of them.
   *
   * @param unitBytes the length of a unit
   * @param checksum the file's last bytes, where Lucene puts a checksum
   */
  record Resident(int unitBytes, long length, long checksum, long bytes, BitSet units) {
    public boolean isSameFile(@Nullable Resident other) {
      return other != null
          && unitBytes == other.unitBytes
          && length == other.length
          && checksum == other.checksum;
    }
  }

  /** What is in memory of this file; asking loads nothing. Empty if that cannot be known. */
  default Optional<Resident> resident() throws IOException {
    return Optional.empty();
  }

  /**
   * How many more bytes can be loaded without evicting others.
   *
   * @param residentBytes how many are in memory of all files
   */
  default long roomBytes(long residentBytes) {
    return AvailableMemory.pageCacheBytes() - residentBytes;
  }

  /** Loads a range and waits for it; may overwrite {@code scratch}, which has as many bytes. */
  default void load(long pos, int length, byte[] scratch) throws IOException {
    read(pos, scratch, 0, length);
  }

  /**
   * A view for sequential readers of the whole file: a cache does not keep what they read. Closing
   * this file closes the view.
   */
  default PositionalFile streamed() {
    return this;
  }

  /**
   * Opens a file with native calls where possible, else through a channel.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   */
  static PositionalFile open(Path path) throws IOException {
    Optional<NativeTarget> target = NativeTarget.of(path);
    return target.isPresent() ? NativeFile.open(path, target.get()) : ChannelFile.open(path);
  }

  /**
   * Adds the file to the system's error, which names a descriptor at most.
   *
   * @return an {@link EOFException} if the cause is one
   */
  static IOException cannotRead(Object file, IOException cause) {
    String why = Objects.requireNonNullElse(cause.getMessage(), cause.getClass().getSimpleName());
    String message = "cannot read: " + why + ": " + file;
    IOException named =
        cause instanceof EOFException ? new EOFException(message) : new IOException(message);
    named.initCause(cause);
    return named;
  }

  /** How files below a folder are read, for a directory's {@code toString}. */
  static String description(Path folder) {
    if (NativeCalls.get().isEmpty()) {
      return "FileChannel (" + NativeCalls.whyAbsent() + ")";
    }
    return NativePath.of(folder).isPresent()
        ? "pread"
        : "FileChannel (not on the default file system)";
  }
}
