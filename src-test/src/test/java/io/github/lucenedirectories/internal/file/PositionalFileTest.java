// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Arrays;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.tests.mockfile.FilterPath;
import org.apache.lucene.tests.mockfile.LeakFS;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Files whose reads come short, are interrupted or fail. */
@LuceneTestCase.SuppressFileSystems("*") // what is read natively must be a real file
public class PositionalFileTest extends LibraryTestCase {

  private final byte[] bytes = randomBytes(random().nextInt(1_000, 2_000_000));

  /** Reads that were cut short, as they may be after a signal. */
  private final AtomicLong cut = new AtomicLong();

  /** Of this class because reads ahead are made by other threads. */
  private final Random lengths = new Random(random().nextLong());

  /** How many bytes to read where so many were asked for. */
  private int someOf(int asked) {
    // Often a few bytes less, so that reads past the page cache end within a sector.
    int n = asked - lengths.nextInt(lengths.nextBoolean() ? Math.min(asked, 600) : asked);
    if (n < asked) {
      cut.incrementAndGet();
    }
    return n;
  }

  public void testShortNativeReads() throws IOException {
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    FileCalls calls =
        new FileCalls() {
          @Override
          public int pread(int file, MemorySegment error, MemorySegment target, int asked, long pos)
              throws IOException {
            int read = super.pread(file, error, target, asked, pos);
            if (read == 0) {
              return 0;
            }
            int some = someOf(read);
            // Direct reads can only be asked for as wholes: what is cut off is spoiled instead.
            target.asSlice(some, read - some).fill((byte) 0);
            return some;
          }
        };
    Path path = Files.write(createTempFile(), bytes);
    try (NativeFile file =
        NativeFile.open(path, new NativeTarget(calls, NativePath.of(path).orElseThrow()))) {
      checkShortReads(file);
    }
  }

  public void testShortChannelReads() throws IOException {
    Path folder = createTempDir();
    Files.write(folder.resolve("file"), bytes);
    FilterFileSystemProvider system =
        new FilterFileSystemProvider("short://", folder.getFileSystem()) {
          @Override
          public FileChannel newFileChannel(
              Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
              throws IOException {
            return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
              @Override
              public int read(ByteBuffer target, long pos) throws IOException {
                return super.read(target.slice(target.position(), someOf(target.remaining())), pos);
              }
            };
          }
        };
    try (ChannelFile file = ChannelFile.open(system.wrapPath(folder).resolve("file"))) {
      checkShortReads(file);
    }
  }

  private void checkShortReads(PositionalFile file) throws IOException {
    for (int i = 0; i < 50; i++) {
      int pos = random().nextInt(bytes.length);
      int n = random().nextInt(bytes.length - pos + 1);
      byte[] expected = Arrays.copyOfRange(bytes, pos, pos + n);
      byte[] onHeap = new byte[n + 2];
      file.read(pos, onHeap, 1, n);
      assertEquals(-1, Arrays.mismatch(expected, Arrays.copyOfRange(onHeap, 1, n + 1)));
    }
    assertTrue("no read was cut short", cut.get() > 0);
  }

  private static byte[] read(ChannelFile file) throws IOException {
    byte[] found = new byte[(int) file.length()];
    file.read(0, found, 0, found.length);
    return found;
  }

  /** An interrupt in the middle of the read closes the channel. */
  private static byte[] readInterrupted(ChannelFile file, FaultyFileSystem system)
      throws IOException {
    system.beforeTransfer =
        () -> {
          system.beforeTransfer = () -> {};
          Thread.currentThread().interrupt();
        };
    try {
      return read(file);
    } finally {
      assertTrue(Thread.interrupted());
    }
  }

  /** What is opened again must be the same file, whatever has its name and length by then. */
  public void testReplacedFile() throws IOException {
    Path folder = createTempDir();
    LeakFS leaks = new LeakFS(folder.getFileSystem());
    FaultyFileSystem system = FaultyFileSystem.over(leaks.wrapPath(folder));
    Path path = system.wrapPath(leaks.wrapPath(folder)).resolve("file");
    Files.write(path, bytes);
    ChannelFile file = ChannelFile.open(path);
    try {
      assertArrayEquals(bytes, readInterrupted(file, system));
      Path other = Files.write(folder.resolve("other"), new byte[bytes.length]);
      Files.move(other, folder.resolve("file"), StandardCopyOption.REPLACE_EXISTING);
      assertArrayEquals(bytes, read(file));
      IOException e = expectThrows(IOException.class, () -> readInterrupted(file, system));
      assertTrue(e.toString(), e.toString().contains("has been replaced"));
    } finally {
      file.close();
      file.close();
    }
    leaks.onClose();
  }

  /** A file becomes shorter while it is open. */
  public void testReadBehindTheEnd() throws IOException {
    Path path = FilterPath.unwrap(createTempDir()).resolve("file");
    Files.write(path, randomBytes(10_000));
    try (PositionalFile file = PositionalFile.open(path)) {
      Files.write(path, randomBytes(random().nextInt(10_000)));
      expectThrows(EOFException.class, () -> file.read(0, new byte[10_000], 0, 10_000));
    }
  }

  /** The error of a read names the file, and is of the cause's kind. */
  public void testReadErrors() {
    for (IOException cause : new IOException[] {new EOFException("end"), new IOException()}) {
      IOException error = PositionalFile.cannotRead("some file", cause);
      assertSame(cause, error.getCause());
      assertSame(cause.getClass(), error.getClass());
      assertTrue(error.getMessage(), String.valueOf(error.getMessage()).contains("some file"));
    }
  }
}
