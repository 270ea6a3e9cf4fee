package io.github.lucenedirectories.testkit.fault;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * What a directory over files does when the file system below it fails, refuses to delete for now,
 * or is one that the kernel knows nothing of.
 */
@LuceneTestCase.SuppressFileSystems("*") // what is refused here must come from the test alone
public class FileSystemTest extends DirectorySuite {

  private static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

  public FileSystemTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoryUnderTest::keepsFiles);
  }

  private Path folder;
  private FaultyFileSystem files;
  private Directory directory;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    folder = createTempDir();
    files = FaultyFileSystem.over(folder);
    directory = open(files.wrapPath(folder));
  }

  @Override
  public void tearDown() throws Exception {
    files.undeletable.clear();
    directory.close();
    super.tearDown();
  }

  public void testFailedFsyncSurfaces() throws IOException {
    for (String name : NAMES) {
      write(directory, name, randomBytes(1_000));
    }
    directory.sync(NAMES);
    assertEquals(Set.copyOf(NAMES), Set.copyOf(files.synced));
    for (List<String> bad : List.of(List.of("a"), List.of("f"), List.of("b", "e"))) {
      files.synced.clear();
      files.unsyncable.addAll(bad);
      IOException e = expectThrows(IOException.class, () -> directory.sync(NAMES));
      assertEquals("the others are synced", Set.copyOf(NAMES), Set.copyOf(files.synced));
      assertEquals(bad.size() - 1, e.getSuppressed().length);
      String all = e + Arrays.toString(e.getSuppressed());
      files.unsyncable.clear();
      for (String name : bad) {
        assertTrue(all, all.contains("fsync") && all.contains(": " + name));
        requireSuspect(name);
        directory.deleteFile(name);
        write(directory, name, randomBytes(1_000));
      }
      directory.sync(NAMES);
    }
  }

  /** The system may have dropped the bytes, and would call the next sync good. */
  private void requireSuspect(String name) throws IOException {
    IOException e = expectThrows(IOException.class, () -> directory.sync(List.of(name)));
    assertTrue(e.toString(), e.toString().contains("earlier") && e.toString().contains(name));
    // What is refused changes nothing.
    for (ThrowingRunnable refused :
        List.<ThrowingRunnable>of(
            () -> directory.createOutput(name, anyContext()),
            () -> directory.rename("missing", name))) {
      expectThrows(IOException.class, refused);
      expectThrows(IOException.class, () -> directory.sync(List.of(name)));
    }
    directory.rename(name, "moved");
    expectThrows(IOException.class, () -> directory.sync(List.of("moved")));
    directory.rename("moved", name);
    expectThrows(IOException.class, () -> directory.sync(List.of(name)));
  }

  /** A file whose sync fails while it is renamed is suspect under its new name. */
  public void testRenameDuringFailingFsync() throws Exception {
    write(directory, "a", randomBytes(1_000));
    files.unsyncable.add("a");
    CountDownLatch syncing = new CountDownLatch(1);
    CountDownLatch renamed = new CountDownLatch(1);
    files.beforeSync =
        () -> {
          syncing.countDown();
          try {
            // The renaming may well wait for this, and must not have to.
            boolean _ = renamed.await(100, TimeUnit.MILLISECONDS);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        };
    FutureTask<Void> renaming =
        start(
            () -> {
              syncing.await();
              directory.rename("a", "b");
              renamed.countDown();
              return null;
            });
    expectThrows(IOException.class, () -> directory.sync(List.of("a")));
    renaming.get();
    expectThrows(IOException.class, () -> directory.sync(List.of("b")));
  }

  public void testFailedFsyncOfFolderSurfaces() throws IOException {
    write(directory, "a", randomBytes(10));
    directory.syncMetaData();
    int before = files.synced.size();
    directory.rename("a", "b");
    directory.syncMetaData();
    assertTrue("the folder is synced", files.synced.size() > before);
    files.unsyncable.add(folder.getFileName().toString());
    IOException e = expectThrows(IOException.class, directory::syncMetaData);
    assertTrue(e.toString(), e.toString().contains("fsync"));
  }

  public void testAccessDenied() throws IOException {
    files.unwritable.add("denied");
    expectThrows(AccessDeniedException.class, () -> directory.createOutput("denied", anyContext()));
    assertEquals(List.of(), names(directory));
    write(directory, "allowed", randomBytes(10));
    assertEquals(List.of("allowed"), names(directory));
    // A file that only could not be opened for its sync has lost nothing.
    files.unwritable.add("allowed");
    expectThrows(AccessDeniedException.class, () -> directory.sync(List.of("allowed")));
    assertEquals(List.of(), files.synced);
    files.unwritable.clear();
    directory.sync(List.of("allowed"));
    assertEquals(List.of("allowed"), files.synced);
  }

  /** A folder inside the index is no file: it may be listed, and cannot be read. */
  public void testFolderInTheIndex() throws IOException {
    Files.createDirectory(folder.resolve("folder"));
    expectThrows(
        IOException.class,
        () -> {
          try (IndexInput in = directory.openInput("folder", anyContext())) {
            in.seek(0);
            in.readByte();
          }
        });
    expectThrows(IOException.class, () -> directory.createOutput("folder", anyContext()).close());
  }

  /** A file that somebody cuts while it is open: an error, and never bytes made up. */
  public void testFileThatBecameShorter() throws IOException {
    byte[] bytes = randomBytes(100_000);
    Path plain = createTempDir();
    try (Directory mapping = open(plain)) {
      write(mapping, "file", bytes);
      try (IndexInput in = mapping.openInput("file", IOContext.DEFAULT)) {
        assertEquals(bytes[0], in.readByte());
        try (var channel = Files.newByteChannel(plain.resolve("file"), StandardOpenOption.WRITE)) {
          channel.truncate(50_000);
        }
        in.seek(99_000);
        expectUnreadable(in::readByte);
        expectUnreadable(() -> in.readBytes(new byte[500], 0, 500));
        expectUnreadable(in::readLong);
        expectUnreadable(in::readVInt);
        expectUnreadable(() -> in.readLongs(new long[20], 0, 20));
        expectUnreadable(() -> in.randomAccessSlice(90_000, 10_000).readInt(9_000));
        in.seek(0);
        // Whole blocks of whatever reads by blocks.
        byte[] left = new byte[1 << 15];
        in.readBytes(left, 0, left.length);
        assertArrayEquals(Arrays.copyOf(bytes, left.length), left);
      }
    }
  }

  /** The JVM reports a fault in mapped memory by an error, which no code can translate in time. */
  private static void expectUnreadable(ThrowingRunnable read) {
    expectThrowsAnyOf(
        List.of(IOException.class, InternalError.class),
        () -> {
          read.run();
          // The error may come only now.
          Thread.sleep(1);
        });
  }

  /** Writes and deletes a file that is still there on disk. */
  private void makePending(String name) throws IOException {
    write(directory, name, randomBytes(100));
    files.undeletable.add(name);
    directory.deleteFile(name);
    assertTrue(Files.exists(folder.resolve(name)));
    assertEquals(Set.of(name), directory.getPendingDeletions());
  }

  public void testPendingFileIsHidden() throws IOException {
    makePending("stuck");
    assertEquals(List.of(), names(directory));
    for (ThrowingRunnable use :
        List.<ThrowingRunnable>of(
            () -> directory.fileLength("stuck"),
            () -> directory.openInput("stuck", IOContext.DEFAULT),
            () -> directory.openChecksumInput("stuck"),
            () -> directory.rename("stuck", "elsewhere"),
            () -> directory.copyFrom(directory, "stuck", "copy", IOContext.DEFAULT),
            () -> directory.deleteFile("stuck"))) {
      expectThrowsAnyOf(List.of(NoSuchFileException.class, FileNotFoundException.class), use);
    }
    expectThrows(
        FileAlreadyExistsException.class,
        () -> directory.createOutput("stuck", IOContext.DEFAULT).close());
    assertTrue(Files.exists(folder.resolve("stuck")));
  }

  public void testPendingFileIsDeletedByLaterWork() throws Exception {
    write(directory, "other", randomBytes(100));
    for (ThrowingRunnable work :
        List.<ThrowingRunnable>of(
            () -> write(directory, "new", randomBytes(10)),
            () -> directory.createTempOutput("a", "b", IOContext.DEFAULT).close(),
            () -> directory.sync(List.of("other")),
            directory::syncMetaData,
            () -> directory.rename("other", "elsewhere"),
            () -> assertEquals(Set.of(), directory.getPendingDeletions()),
            directory::close)) {
      makePending("stuck");
      files.undeletable.clear();
      try {
        work.run();
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
      assertFalse(Files.exists(folder.resolve("stuck")));
    }
  }

  /** A name comes back to life, and the old deletion does not hit its new file. */
  public void testNameIsUsedAgain() throws IOException {
    byte[] bytes = randomBytes(100);
    write(directory, "other", bytes);
    for (String name : List.of("written", "renamed")) {
      makePending(name);
      files.undeletable.clear();
      if (name.equals("renamed")) {
        directory.rename("other", name);
      } else {
        write(directory, name, bytes);
      }
      assertEquals(Set.of(), directory.getPendingDeletions());
      write(directory, "after " + name, randomBytes(10));
      directory.sync(List.of(name));
      directory.syncMetaData();
      assertArrayEquals(bytes, read(directory, name));
    }
    assertEquals(List.of("after renamed", "after written", "renamed", "written"), names(directory));
  }

  public void testTemporaryNamesAvoidPendingOnes() throws IOException {
    Set<String> pending = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      try (IndexOutput out = directory.createTempOutput("_0", "sort", IOContext.DEFAULT)) {
        files.undeletable.add(out.getName());
        pending.add(out.getName());
      }
    }
    for (String name : pending) {
      directory.deleteFile(name);
    }
    assertEquals(pending, directory.getPendingDeletions());
    // A new directory over the same folder starts its count again.
    try (Directory second = open(files.wrapPath(folder))) {
      for (Directory each : List.of(directory, second)) {
        for (int i = 0; i < 5; i++) {
          IndexOutput out = each.createTempOutput("_0", "sort", IOContext.DEFAULT);
          assertTrue(out.getName(), pending.add(out.getName()));
          out.close();
        }
      }
    }
  }

  /** As on a system that refuses to delete an open file. */
  public void testOpenFileThatCannotBeDeleted() throws IOException {
    byte[] bytes = randomBytes(20_000);
    write(directory, "stuck", bytes);
    try (IndexInput in = directory.openInput("stuck", IOContext.DEFAULT)) {
      files.undeletable.add("stuck");
      directory.deleteFile("stuck");
      assertEquals(List.of(), names(directory));
      assertArrayEquals(bytes, remaining(in));
    }
    files.undeletable.clear();
    assertEquals(Set.of(), directory.getPendingDeletions());
    assertFalse(Files.exists(folder.resolve("stuck")));
  }

  public void testFilesInZip() throws IOException {
    Path zip = createTempDir().resolve("index.zip");
    byte[] bytes = randomBytes(40_000);
    long nativeFiles = PathCounter.NATIVE_READ_FILE.count();
    try (FileSystem zipped = FileSystems.newFileSystem(zip, Map.of("create", "true"));
        Directory directory = open(zipped.getPath("/index"))) {
      write(directory, "file", bytes);
      write(directory, "empty", new byte[0]);
      write(directory, "deleted", randomBytes(10));
      directory.deleteFile("deleted");
      assertEquals(List.of("empty", "file"), names(directory));
      assertEquals(bytes.length, directory.fileLength("file"));
      for (IOContext context : List.of(IOContext.DEFAULT, IOContext.READONCE, anyContext())) {
        try (IndexInput in = directory.openInput("file", context)) {
          for (InputView view : InputView.of(in, bytes, 7)) {
            assertArrayEquals(view.toString(), view.bytes(), remaining(view.in()));
          }
        }
      }
      assertEquals(0, read(directory, "empty").length);
    }
    assertEquals(nativeFiles, PathCounter.NATIVE_READ_FILE.count());
  }
}
