package io.github.lucenedirectories.testkit.fault;

import com.carrotsearch.randomizedtesting.annotations.ParametersFactory;
import io.github.lucenedirectories.testkit.DirectoriesUnderTest;
import io.github.lucenedirectories.testkit.DirectorySuite;
import io.github.lucenedirectories.testkit.DirectoryUnderTest;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.LuceneTestCase;

/** What a directory over files does when the file system below it fails. */
@LuceneTestCase.SuppressFileSystems("*") // what is refused here must come from the test alone
public class FaultTest extends DirectorySuite {

  public FaultTest(DirectoryUnderTest subject) {
    super(subject);
  }

  @ParametersFactory(argumentFormatting = "%s")
  public static Iterable<Object[]> directories() {
    return DirectoriesUnderTest.parameters(directory -> directory.capabilities().keepsFiles());
  }

  public void testFailedFsyncSurfaces() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      List<String> names = List.of("a", "b", "c", "d", "e", "f");
      for (String name : names) {
        write(directory, name, randomBytes(1_000));
      }
      directory.sync(names);
      assertEquals(Set.copyOf(names), Set.copyOf(files.synced()));
      for (String bad : names) {
        files.synced().clear();
        files.unsyncable().add(bad);
        IOException e = expectThrows(IOException.class, () -> directory.sync(names));
        assertTrue(e.toString(), e.toString().contains("fsync") && e.toString().contains(bad));
        assertEquals("the others are synced", Set.copyOf(names), Set.copyOf(files.synced()));
        files.unsyncable().clear();
        requireSuspect(directory, bad);
        directory.deleteFile(bad);
        write(directory, bad, randomBytes(1_000));
        directory.sync(names);
      }
    }
  }

  /** The system may have dropped the bytes, and would call the next sync good. */
  private static void requireSuspect(Directory directory, String name) throws IOException {
    IOException e = expectThrows(IOException.class, () -> directory.sync(List.of(name)));
    assertTrue(e.toString(), e.toString().contains("earlier") && e.toString().contains(name));
    directory.rename(name, "moved");
    expectThrows(IOException.class, () -> directory.sync(List.of("moved")));
    directory.rename("moved", name);
    expectThrows(IOException.class, () -> directory.sync(List.of(name)));
  }

  public void testSeveralFailedFsyncs() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      List<String> names = List.of("a", "b", "c", "d", "e", "f");
      for (String name : names) {
        write(directory, name, randomBytes(1_000));
      }
      files.unsyncable().addAll(List.of("b", "e"));
      IOException e = expectThrows(IOException.class, () -> directory.sync(names));
      assertEquals(1, e.getSuppressed().length);
      String both = e + " " + e.getSuppressed()[0];
      assertTrue(both, both.contains(": b") && both.contains(": e"));
      directory.sync(List.of("a", "c", "d", "f"));
    }
  }

  /** A file whose sync fails while it is renamed is suspect under its new name. */
  public void testRenameDuringFailingFsync() throws Exception {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      write(directory, "a", randomBytes(1_000));
      files.unsyncable().add("a");
      CountDownLatch syncing = new CountDownLatch(1);
      CountDownLatch renamed = new CountDownLatch(1);
      files.beforeSync(
          () -> {
            syncing.countDown();
            try {
              // The renaming may well wait for this, and must not have to.
              boolean _ = renamed.await(100, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
          });
      FutureTask<Void> renaming =
          new FutureTask<>(
              () -> {
                syncing.await();
                directory.rename("a", "b");
                renamed.countDown();
                return null;
              });
      Thread thread = new Thread(renaming);
      thread.start();
      expectThrows(IOException.class, () -> directory.sync(List.of("a")));
      renaming.get();
      thread.join();
      expectThrows(IOException.class, () -> directory.sync(List.of("b")));
    }
  }

  public void testFailedFsyncOfFolderSurfaces() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      write(directory, "a", randomBytes(10));
      directory.syncMetaData();
      int before = files.synced().size();
      directory.rename("a", "b");
      directory.syncMetaData();
      assertTrue("the folder is synced", files.synced().size() > before);
      files.unsyncable().add(real.getFileName().toString());
      IOException e = expectThrows(IOException.class, directory::syncMetaData);
      assertTrue(e.toString(), e.toString().contains("fsync"));
    }
  }

  public void testAccessDenied() throws IOException {
    Path real = createTempDir();
    FaultyFileSystem files = FaultyFileSystem.over(real);
    try (Directory directory = open(files.wrapPath(real))) {
      files.unwritable().add("denied");
      expectThrows(
          AccessDeniedException.class, () -> directory.createOutput("denied", anyContext()));
      assertEquals(List.of(), names(directory));
      write(directory, "allowed", randomBytes(10));
      assertEquals(List.of("allowed"), names(directory));
    }
  }

  /** A folder inside the index is no file: it may be listed, and cannot be read. */
  public void testFolderInTheIndex() throws IOException {
    Path folder = createTempDir();
    Files.createDirectory(folder.resolve("folder"));
    try (Directory directory = open(folder)) {
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
  }

  /** A file that somebody cuts while it is open: an error, and never bytes made up. */
  public void testFileThatBecameShorter() throws IOException {
    Path folder = createTempDir();
    byte[] bytes = randomBytes(100_000);
    try (Directory directory = open(folder)) {
      write(directory, "file", bytes);
      try (IndexInput in = directory.openInput("file", IOContext.DEFAULT)) {
        assertEquals(bytes[0], in.readByte());
        try (var channel = Files.newByteChannel(folder.resolve("file"), StandardOpenOption.WRITE)) {
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
    Throwable failure =
        expectThrows(
            Throwable.class,
            () -> {
              read.run();
              // The error may come only now.
              Thread.sleep(1);
            });
    assertTrue(
        String.valueOf(failure),
        failure instanceof IOException || failure instanceof InternalError);
  }
}
