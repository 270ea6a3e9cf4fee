// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.testkit.fault;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.internal.os.PathCounter;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import io.github.lucenedirectories.testkit.InputView;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;

/** Failing file systems: what could not be synced stays suspect. And files that no kernel knows. */
public class FileSystemTest extends FileSystemSuite {

  public FileSystemTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(DirectoryUnderTest::keepsFiles);
  }

  @Override
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
