// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.fault;

import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.Promise;
import io.github.lucenedirectories.testkit.Subject;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;

/**
 * What a directory over files does when the file system below it fails or refuses to delete for
 * now.
 */
@LuceneTestCase.SuppressFileSystems("*") // what is refused here must come from the test alone
public class FileSystemSuite extends DirectorySuite {

  protected static final List<String> NAMES = List.of("a", "b", "c", "d", "e", "f");

  public FileSystemSuite(Subject subject) {
    super(subject);
  }

  protected Path folder;
  protected FaultyFileSystem files;
  protected Directory directory;

  @Override
  public void setUp() throws Exception {
    super.setUp();
    assumePromised(Promise.FILES);
    folder = createTempDir();
    files = FaultyFileSystem.over(folder);
    directory = open(files.wrapPath(folder));
  }

  @Override
  public void tearDown() throws Exception {
    if (directory != null) {
      files.undeletable.clear();
      directory.close();
    }
    super.tearDown();
  }

  public void testFailedFsyncSurfaces() throws IOException {
    for (String name : NAMES) {
      write(directory, name, randomBytes(1_000));
    }
    directory.sync(NAMES);
    assertEquals(Set.copyOf(NAMES), Set.copyOf(files.synced));
    for (String name : NAMES) {
      files.unsyncable.add(name);
      expectThrows(IOException.class, () -> directory.sync(NAMES));
      files.unsyncable.clear();
    }
  }

  public void testFailedFsyncOfFolderSurfaces() throws IOException {
    write(directory, "a", randomBytes(10));
    directory.syncMetaData();
    int before = files.synced.size();
    directory.rename("a", "b");
    directory.syncMetaData();
    assertTrue("the folder is synced", files.synced.size() > before);
    assumePromised(Promise.FOLDER_SYNC_ERRORS);
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

  /** A file that is truncated while it is open: an error, and never bytes made up. */
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
}
