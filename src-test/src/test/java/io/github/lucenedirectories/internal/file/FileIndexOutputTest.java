// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.internal.store.BlockIndexOutput;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Outputs to files, through the page cache and past it; those whose writes fail. */
@LuceneTestCase.SuppressFileSystems("*") // what is written natively must be a real file
public class FileIndexOutputTest extends LibraryTestCase {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));

  /** A length that is about a multiple of what is written at once. */
  private static int someLength() {
    int offset =
        switch (random().nextInt(4)) {
          case 0 -> random().nextInt(DirectIndexOutput.PIECE_BYTES);
          case 1 -> random().nextInt(3) - 1;
          case 2 -> FileCalls.DIRECT_BYTES + random().nextInt(3) - 1;
          default -> -FileCalls.DIRECT_BYTES + random().nextInt(3) - 1;
        };
    return Math.max(0, random().nextInt(6) * DirectIndexOutput.PIECE_BYTES + offset);
  }

  private static NativeTarget target(Path path) {
    assumeTrue(NativeCalls.whyAbsent(), NativeCalls.get().isPresent());
    return NativeTarget.of(path).orElseThrow();
  }

  /** Whether files of tests can be written past the cache at all. */
  private static boolean canBeDirect(Path path) {
    FileCalls calls = target(path).calls();
    try {
      calls.close(calls.openForDirectWrite(target(path).path()));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  public void testWrites() throws IOException {
    Path folder = createTempDir();
    try (Directory directory = NioDirectory.builder(folder).directMergeBytes(1).build()) {
      for (int i = 0; i < 20; i++) {
        byte[] bytes = randomBytes(someLength());
        long direct = PathCounter.DIRECT_WRITE_FILE.count();
        try (IndexOutput out = directory.createOutput("file" + i, MERGE)) {
          for (int pos = 0; pos < bytes.length; ) {
            int n = Math.min(bytes.length - pos, 1 + random().nextInt(400_000));
            out.writeBytes(bytes, pos, n);
            pos += n;
          }
          assertEquals(bytes.length, out.getFilePointer());
        }
        directory.sync(List.of("file" + i));
        assertArrayEquals(bytes, Files.readAllBytes(folder.resolve("file" + i)));
        boolean possible = NativeCalls.get().isPresent() && canBeDirect(folder.resolve("file" + i));
        assertEquals(possible, PathCounter.DIRECT_WRITE_FILE.count() > direct);
      }
    }
  }

  /** Notes its closes, and refuses what would make it longer than its limit. */
  private static final class Limited extends FilterOutputStream {
    private final int limit;
    private int written;
    private int closes;

    Limited(OutputStream file, int limit) {
      super(file);
      this.limit = limit;
    }

    @Override
    public void write(int b) throws IOException {
      written++;
      if (written > limit) {
        throw new IllegalStateException("the test refuses to write");
      }
      out.write(b);
    }

    @Override
    public void close() throws IOException {
      closes++;
      super.close();
    }
  }

  /** An output to a new file whose direct writes do not need the device's blocks. */
  private static DirectIndexOutput open(Path path, FileCalls calls, OutputStream cached)
      throws IOException {
    NativeTarget target = target(path);
    int descriptor = target.calls().openForWrite(target.path());
    return new DirectIndexOutput(
        path, calls, cached, descriptor, target.calls().openForWrite(target.path()));
  }

  /** What lies behind the last byte until the file is cut is none of what was written before. */
  public void testLastBlockIsFilled() throws IOException {
    Path path = createTempDir().resolve("file");
    // Skips the test without native access, before a native call is linked.
    assertNotNull(target(path));
    FileCalls uncut =
        new FileCalls() {
          @Override
          public void truncate(int descriptor, long length) {}
        };
    Limited cached = new Limited(FileIndexOutput.newFile(path), Integer.MAX_VALUE);
    try (DirectIndexOutput out = open(path, uncut, cached)) {
      for (int i = 0; i < 5 * DirectIndexOutput.PIECE_BYTES; i++) {
        out.writeByte((byte) 1);
      }
      for (int left = 1 + random().nextInt(DirectIndexOutput.PIECE_BYTES); left > 0; left--) {
        out.writeByte((byte) 0);
      }
    }
    assertEquals("the file stays open", 1, cached.closes);
    byte[] written = Files.readAllBytes(path);
    for (int i = 5 * DirectIndexOutput.PIECE_BYTES; i < written.length; i++) {
      assertEquals("at " + i, 0, written[i]);
    }
  }

  /** A write may fail after the last one began: the close reports it. */
  public void testLastWriteFails() throws IOException {
    Path path = createTempDir().resolve("file");
    assertNotNull(target(path));
    FileCalls failing =
        new FileCalls() {
          @Override
          public void write(int descriptor, MemorySegment bytes, long pos) throws IOException {
            if (pos == 0) {
              // The close comes first.
              LockSupport.parkNanos(50_000_000);
              throw new IOException("the test refuses to write");
            }
            super.write(descriptor, bytes, pos);
          }
        };
    int length = DirectIndexOutput.PIECE_BYTES + random().nextInt(DirectIndexOutput.PIECE_BYTES);
    requireFailure(open(path, failing, FileIndexOutput.newFile(path)), length, "refuses");
  }

  /** What the device does not take is not called written. */
  public void testFailedWrites() throws IOException {
    Path path = createTempDir().resolve("file");
    NativeTarget target = target(path);
    FileCalls calls = target.calls();
    DirectIndexOutput out =
        new DirectIndexOutput(
            path,
            calls,
            FileIndexOutput.newFile(path),
            calls.openForRead(NativePath.of(createTempFile()).orElseThrow()),
            calls.openForRead(target.path()));
    requireFailure(out, DirectIndexOutput.PIECE_BYTES * (1 + random().nextInt(9)), "pwrite");
  }

  private static void requireFailure(DirectIndexOutput out, int length, String cause) {
    IOException e =
        expectThrows(
            IOException.class,
            () -> {
              try (out) {
                out.writeBytes(new byte[length], length);
              }
            });
    assertTrue(String.valueOf(e.getCause()), String.valueOf(e.getCause()).contains(cause));
  }

  public void testFileIsClosedWhenWritesFail() {
    // The write that fails is the last one, or one before it.
    for (int length : new int[] {100, 100_000}) {
      Limited file = new Limited(OutputStream.nullOutputStream(), length / 2);
      FileIndexOutput out = new FileIndexOutput(Path.of("file"), file, WriteBack.NONE);
      expectThrowsAnyOf(
          List.of(IOException.class, IllegalStateException.class),
          () -> {
            try (out) {
              out.writeBytes(new byte[length], length);
            }
          });
      assertEquals(1, file.closes);
    }
  }

  /** Its first write fails. */
  private static final class FailingOnce extends BlockIndexOutput {
    private int writes;
    private int finished;
    private int abandoned;

    FailingOnce() {
      super("FailingOnce", "file");
    }

    @Override
    protected void write(byte[] bytes, int offset, int length) throws IOException {
      if (writes++ == 0) {
        throw new IOException("no space left");
      }
    }

    @Override
    protected void finish(byte[] bytes, int length) {
      finished++;
    }

    @Override
    protected void abandon() {
      abandoned++;
    }
  }

  public void testFileThatLacksBytesIsNeverComplete() throws IOException {
    FailingOnce out = new FailingOnce();
    byte[] bytes = new byte[50_000];
    for (int i = 0; i < 2; i++) {
      expectThrows(IOException.class, () -> out.writeBytes(bytes, bytes.length));
    }
    expectThrows(IOException.class, out::close);
    out.close();
    assertEquals(List.of(1, 0, 1), List.of(out.writes, out.finished, out.abandoned));
  }

  public void testDescriptorThatWritesBackIsClosed() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue("no " + descriptors, Files.isDirectory(descriptors));
    Path file = createTempDir().toRealPath().resolve("file");
    try (IndexOutput out = FileIndexOutput.create(file)) {
      out.writeBytes(new byte[34 << 20], 34 << 20);
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      for (Path descriptor : open.toList()) {
        try {
          assertNotEquals(file, Files.readSymbolicLink(descriptor));
        } catch (NoSuchFileException _) {
          // Closed meanwhile.
        }
      }
    }
  }
}
