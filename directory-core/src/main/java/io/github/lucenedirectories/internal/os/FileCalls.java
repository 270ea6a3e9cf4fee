// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.os;

import java.io.IOException;
import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.lucene.util.IOUtils;

/**
 * The Linux system calls on files that the directories use. {@link NativeCalls#files} returns them
 * where they can be called. All methods may be called from any thread.
 */
public class FileCalls {

  /** Advice for a range of a file, as {@code posix_fadvise} takes it. */
  public enum Advice {
    /** Reads are random: load only what is read. Applies to the descriptor, not to a range. */
    RANDOM(1),
    /** The range will be read soon: start to load it. */
    WILL_NEED(3),
    /** The range will not be read again: its pages may be evicted. */
    NOT_NEEDED(4);

    private final int number;

    Advice(int number) {
      this.number = number;
    }
  }

  /** Direct reads and writes begin and end at multiples of this; usual devices need no more. */
  public static final int DIRECT_BYTES = 1 << 12;

  /** Bytes that a caller allocates for the error number of a call. */
  public static final long ERROR_STATE_BYTES = NativeLinks.CAPTURE.byteSize();

  // Constants of <fcntl.h>, <unistd.h> and <errno.h>. All but O_DIRECT are the same on x86-64 and
  // aarch64.
  private static final int O_RDONLY = 0;
  private static final int O_WRONLY = 1;
  private static final int O_DSYNC = 0x1000;
  private static final int O_CLOEXEC = 0x80000;
  private static final int DIRECT =
      System.getProperty("os.arch").equals("aarch64") ? 0x10000 : 0x4000;
  private static final int SEEK_END = 2;
  private static final int SYNC_FILE_RANGE_WRITE = 2;
  private static final int EPERM = 1;
  private static final int EINTR = 4;
  private static final int EINVAL = 22;
  private static final int ENOSYS = 38;
  private static final int EOPNOTSUPP = 95;

  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
  private static final AddressLayout ADDRESS = ValueLayout.ADDRESS;

  /** The calls that read, linked when the first file is opened; see {@link NativeCalls}. */
  private static final class Reading {
    static final MethodHandle OPEN =
        NativeLinks.linkWithErrno("open", FunctionDescriptor.of(INT, ADDRESS, INT));
    static final MethodHandle LSEEK =
        NativeLinks.linkWithErrno("lseek", FunctionDescriptor.of(LONG, INT, LONG, INT));
    static final MethodHandle PREAD =
        NativeLinks.linkWithErrno("pread", FunctionDescriptor.of(LONG, INT, ADDRESS, LONG, LONG));
    static final MethodHandle CLOSE = NativeLinks.link("close", FunctionDescriptor.of(INT, INT));
    static final MethodHandle FADVISE =
        NativeLinks.link("posix_fadvise", FunctionDescriptor.of(INT, INT, LONG, LONG, INT));

    static {
      // Linked now: without a free descriptor the JVM may be unable to load the linking class.
      String _ = NativeLinks.text(EPERM);
    }
  }

  private static final class Writing {
    static final MethodHandle PWRITE =
        NativeLinks.linkWithErrno("pwrite", FunctionDescriptor.of(LONG, INT, ADDRESS, LONG, LONG));
    static final MethodHandle FTRUNCATE =
        NativeLinks.linkWithErrno("ftruncate", FunctionDescriptor.of(INT, INT, LONG));
    static final MethodHandle SYNC_FILE_RANGE =
        NativeLinks.link("sync_file_range", FunctionDescriptor.of(INT, INT, LONG, LONG, INT));
  }

  protected FileCalls() {}

  /**
   * Opens a file for reading and returns its descriptor, which the caller must {@link #close}.
   *
   * @throws NoSuchFileException if there is none
   * @throws IOException if it cannot be opened
   */
  public int openForRead(NativePath path) throws IOException {
    return open(path, O_RDONLY);
  }

  /** As {@link #openForRead}, for writes to an existing file. */
  public int openForWrite(NativePath path) throws IOException {
    return open(path, O_WRONLY);
  }

  /**
   * As {@link #openForWrite}, for writes that bypass the page cache: positions, lengths and
   * addresses must be multiples of {@link #DIRECT_BYTES}.
   *
   * @throws IOException also if the file system does not support direct writes
   */
  public int openForDirectWrite(NativePath path) throws IOException {
    return open(path, O_WRONLY | DIRECT);
  }

  /** As {@link #openForDirectWrite}. Each write returns when its bytes are durable. */
  public int openForDurableWrite(NativePath path) throws IOException {
    return open(path, O_WRONLY | DIRECT | O_DSYNC);
  }

  private static int open(NativePath path, int flags) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(NativeLinks.CAPTURE);
      MemorySegment name = path.allocateIn(arena);
      while (true) {
        int descriptor = (int) Reading.OPEN.invokeExact(error, name, flags | O_CLOEXEC);
        if (descriptor >= 0) {
          return descriptor;
        }
        int errno = NativeLinks.errno(error);
        if (errno != EINTR) {
          throw path.failure(errno, NativeLinks.message(errno));
        }
      }
    } catch (Throwable t) {
      throw IOUtils.rethrowAlways(t);
    }
  }

  /** Closes a descriptor. It must not be in use: the system may reuse its number at once. */
  public void close(int descriptor) {
    try {
      // Linux frees the descriptor even when close reports an error. A sync makes written bytes
      // durable or reports their loss.
      int _ = (int) Reading.CLOSE.invokeExact(descriptor);
    } catch (Throwable t) {
      throw NativeLinks.unexpected(t);
    }
  }

  public long length(int descriptor) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(NativeLinks.CAPTURE);
      long length = (long) Reading.LSEEK.invokeExact(error, descriptor, 0L, SEEK_END);
      if (length < 0) {
        throw new IOException("lseek: " + NativeLinks.message(error));
      }
      return length;
    } catch (Throwable t) {
      throw IOUtils.rethrowAlways(t);
    }
  }

  /**
   * Reads once from a file into native memory. A call that a signal interrupts is repeated.
   *
   * @param error {@link #ERROR_STATE_BYTES} of native memory that no other thread uses
   * @param bytes how many bytes to read at most
   * @param pos position in the file, in bytes
   * @return the number of bytes read, fewer than requested at the end of the file or when the
   *     system chooses; 0 only at the end of the file
   */
  public int pread(int descriptor, MemorySegment error, MemorySegment target, int bytes, long pos)
      throws IOException {
    try {
      while (true) {
        long n = (long) Reading.PREAD.invokeExact(error, descriptor, target, (long) bytes, pos);
        if (n >= 0) {
          return (int) n;
        }
        int errno = NativeLinks.errno(error);
        if (errno != EINTR) {
          throw new IOException(
              "pread: pos=" + pos + ", bytes=" + bytes + ": " + NativeLinks.message(errno));
        }
      }
    } catch (Throwable t) {
      throw IOUtils.rethrowAlways(t);
    }
  }

  /**
   * Writes all bytes of native memory to a file.
   *
   * @param pos position in the file, in bytes
   */
  public void write(int descriptor, MemorySegment bytes, long pos) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(NativeLinks.CAPTURE);
      for (long done = 0; done < bytes.byteSize(); ) {
        MemorySegment rest = bytes.asSlice(done);
        long n =
            (long) Writing.PWRITE.invokeExact(error, descriptor, rest, rest.byteSize(), pos + done);
        if (n >= 0) {
          done += n;
        } else if (NativeLinks.errno(error) != EINTR) {
          throw new IOException(
              String.format(
                  Locale.ROOT,
                  "pwrite: pos=%s, bytes=%s: %s",
                  pos + done,
                  rest.byteSize(),
                  NativeLinks.message(error)));
        }
      }
    } catch (Throwable t) {
      throw IOUtils.rethrowAlways(t);
    }
  }

  /**
   * The messages of the JDK's exceptions for a call that the file system does not support, in the
   * language of the process.
   */
  public Set<String> messagesOfUnknownCalls() {
    // A language may have one message for two of them.
    return Set.copyOf(
        List.of(NativeLinks.text(EINVAL), NativeLinks.text(ENOSYS), NativeLinks.text(EOPNOTSUPP)));
  }

  public void truncate(int descriptor, long length) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment error = arena.allocate(NativeLinks.CAPTURE);
      while ((int) Writing.FTRUNCATE.invokeExact(error, descriptor, length) != 0) {
        if (NativeLinks.errno(error) != EINTR) {
          throw new IOException("ftruncate: length=" + length + ": " + NativeLinks.message(error));
        }
      }
    } catch (Throwable t) {
      throw IOUtils.rethrowAlways(t);
    }
  }

  /**
   * Starts the write-back of a range of a file to its device without waiting. Makes nothing
   * durable.
   */
  public void beginWriteBack(int descriptor, long pos, long bytes) {
    int _ =
        NativeLinks.call(
            () ->
                (int)
                    Writing.SYNC_FILE_RANGE.invokeExact(
                        descriptor, pos, bytes, SYNC_FILE_RANGE_WRITE));
  }

  /**
   * Passes advice for a range of an open file.
   *
   * @param bytes length of the range; 0 means to the end of the file
   * @return false if the system refused it, which only costs speed
   */
  public boolean advise(int descriptor, long pos, long bytes, Advice advice) {
    try {
      int errno = (int) Reading.FADVISE.invokeExact(descriptor, pos, bytes, advice.number);
      if (errno == EPERM) {
        NativeLinks.warnOnceOfRefusal("posix_fadvise");
      }
      return errno == 0;
    } catch (Throwable t) {
      throw NativeLinks.unexpected(t);
    }
  }
}
