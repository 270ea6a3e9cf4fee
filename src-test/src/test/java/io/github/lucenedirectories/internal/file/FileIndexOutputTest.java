package io.github.lucenedirectories.internal.file;

import io.github.lucenedirectories.internal.os.FileCalls;
import io.github.lucenedirectories.internal.os.NativeCalls;
import io.github.lucenedirectories.internal.os.NativePath;
import io.github.lucenedirectories.internal.os.NativeTarget;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.util.LuceneTestCase;

/** Writes of files, through the page cache and past it. */
@LuceneTestCase.SuppressFileSystems("*") // what is written natively must be a real file
public class FileIndexOutputTest extends LibraryTestCase {

  private static final IOContext MERGE = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));

  /** A length that is about a multiple of what is written at once. */
  private static int someLength() {
    int offset =
        switch (random().nextInt(4)) {
          case 0 -> random().nextInt(DirectMemory.PIECE_BYTES);
          case 1 -> random().nextInt(3) - 1;
          case 2 -> FileCalls.DIRECT_BYTES + random().nextInt(3) - 1;
          default -> -FileCalls.DIRECT_BYTES + random().nextInt(3) - 1;
        };
    return Math.max(0, random().nextInt(6) * DirectMemory.PIECE_BYTES + offset);
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

  public void testMemoryGoesBackToTheSystem() {
    assumeTrue("needs native access", NativeCalls.get().isPresent());
    List<MemorySegment> pieces = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      MemorySegment piece = DirectMemory.take();
      piece.fill((byte) 1);
      pieces.add(piece);
    }
    NativeCalls calls = NativeCalls.get().orElseThrow();
    assertEquals(40, pieces.stream().map(MemorySegment::address).distinct().count());
    pieces.forEach(DirectMemory::giveBack);
    // Those with memory come first.
    List<MemorySegment> again = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      again.add(DirectMemory.take());
      assertTrue(calls.isResident(again.getLast()).orElseThrow());
    }
    assertEquals(8, again.stream().map(MemorySegment::address).distinct().count());
    again.forEach(DirectMemory::giveBack);
    long resident = pieces.stream().filter(piece -> calls.isResident(piece).orElseThrow()).count();
    assertTrue("resident=" + resident, resident <= DirectMemory.kept());
    assertTrue("kept=" + DirectMemory.kept(), DirectMemory.kept() <= 8);
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

  /** What lies behind the last byte until the file is cut is none of what was written before. */
  public void testLastBlockIsFilled() throws IOException {
    Path path = createTempDir().resolve("file");
    NativeTarget target = target(path);
    FileCalls uncut =
        new FileCalls(1 << 12) {
          @Override
          public void truncate(int descriptor, long length) {}
        };
    AtomicBoolean closed = new AtomicBoolean();
    MemorySegment used = DirectMemory.take();
    used.fill((byte) 1);
    DirectMemory.giveBack(used);
    byte[] bytes = new byte[1 + random().nextInt(DirectMemory.PIECE_BYTES)];
    try (DirectIndexOutput out =
        new DirectIndexOutput(
            path,
            uncut,
            new FilterOutputStream(FileIndexOutput.newFile(path)) {
              @Override
              public void close() throws IOException {
                closed.set(true);
                super.close();
              }
            },
            target.calls().openForWrite(target.path()),
            target.calls().openForWrite(target.path()))) {
      for (byte b : bytes) {
        out.writeByte(b);
      }
    }
    assertTrue("the file stays open", closed.get());
    byte[] written = Files.readAllBytes(path);
    assertArrayEquals(new byte[written.length], written);
  }

  /** A write may fail after the last one began: the close reports it. */
  public void testLastWriteFails() throws IOException {
    Path path = createTempDir().resolve("file");
    // Skips the test without native access, before a native call is linked.
    NativeTarget target = target(path);
    FileCalls failing =
        new FileCalls(1 << 12) {
          @Override
          public void write(int descriptor, MemorySegment bytes, long pos) throws IOException {
            if (pos == 0) {
              throw new IOException("the test refuses to write");
            }
            super.write(descriptor, bytes, pos);
          }
        };
    DirectIndexOutput out =
        new DirectIndexOutput(
            path,
            failing,
            FileIndexOutput.newFile(path),
            target.calls().openForWrite(target.path()),
            target.calls().openForWrite(target.path()));
    int length = DirectMemory.PIECE_BYTES + random().nextInt(DirectMemory.PIECE_BYTES);
    requireFailure(out, length, "refuses");
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
    requireFailure(out, DirectMemory.PIECE_BYTES * (1 + random().nextInt(9)), "pwrite");
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

  /** Refuses what would make it longer than its limit. */
  private static final class Limited extends OutputStream {
    private final int limit;
    private int written;
    private int closes;

    Limited(int limit) {
      this.limit = limit;
    }

    @Override
    public void write(int b) {
      written++;
      if (written > limit) {
        throw new IllegalStateException("the test refuses to write");
      }
    }

    @Override
    public void close() {
      closes++;
    }
  }

  public void testFileIsClosedWhenWritesFail() {
    // The write that fails is the last one, or one before it.
    for (int length : new int[] {100, 100_000}) {
      Limited file = new Limited(length / 2);
      FileIndexOutput out = new FileIndexOutput(Path.of("file"), file, WriteBack.NONE);
      expectThrowsAnyOf(
          List.of(IOException.class, IllegalStateException.class),
          () -> {
            try (out) {
              for (int i = 0; i < length; i++) {
                out.writeByte((byte) i);
              }
            }
          });
      assertEquals(1, file.closes);
    }
  }
}
