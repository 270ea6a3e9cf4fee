// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.Troubles;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.lang.Thread.State;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IORunnable;

/** Single moments of a backing that random runs rarely meet. */
@LuceneTestCase.SuppressFileSystems("WindowsFS") // others delete the lock while it is open
public class DirectoryBackingTest extends LibraryTestCase {

  private final CrashingBacking disk = new CrashingBacking();

  private final SteppedDirectory stepped = new SteppedDirectory(disk);

  /** Whether a file that is named "slow" is being created. */
  private volatile boolean creating;

  /** Nothing of such a file is written before this is so. */
  private volatile boolean gateOpen;

  private void closeGate() {
    stepped.beforeCreate =
        name -> {
          if (name.startsWith("slow")) {
            creating = true;
            await(() -> gateOpen);
          }
        };
  }

  private RamDirectory open() throws IOException {
    return RamDirectory.builder().backing(stepped).maxBytes(1 << 20).build();
  }

  /** Found at the open, and in no commit: it may lie in the page cache alone. */
  public void testFileOfNoCommitIsSynced() throws IOException {
    byte[] bytes = randomBytes(5_000);
    write(disk, "left", bytes);
    try (Directory directory = open()) {
      directory.sync(List.of("left"));
      directory.syncMetaData();
    }
    assertTrue(disk.log().toString(), disk.log().contains("SYNC left"));
    assertArrayEquals(bytes, read(disk.afterPowerCut(random()), "left"));
  }

  public void testSyncOfMissingFile() throws IOException {
    try (Directory directory = new RamDirectory()) {
      expectThrows(NoSuchFileException.class, () -> directory.sync(List.of("none")));
    }
  }

  /** The backing lacks it, since a sync could not create it or a deletion only seemed to fail. */
  public void testMissingFileIsRenamed() throws IOException {
    byte[] bytes = randomBytes(5_000);
    try (Directory directory = open()) {
      write(directory, "a", bytes);
      disk.with(Troubles.once(Trouble.ERROR));
      expectThrows(IOException.class, () -> directory.sync(List.of("a")));
      directory.rename("a", "b");
      directory.sync(List.of("b"));
      disk.with(Troubles.once(Trouble.DONE));
      expectThrows(IOException.class, () -> directory.deleteFile("b"));
      directory.rename("b", "c");
      directory.sync(List.of("c"));
      assertArrayEquals(bytes, read(disk, "c"));
    }
  }

  /** Only the backing has it: it cannot be written again. */
  public void testFileOfNoCommitIsKept() throws IOException {
    write(disk, "left", new byte[1]);
    try (Directory directory = open()) {
      disk.with(Troubles.once(Trouble.ERROR));
      expectThrows(IOException.class, () -> directory.rename("left", "right"));
      expectThrows(IOException.class, () -> directory.sync(List.of("left")));
      write(directory, "new", new byte[2]);
      expectThrows(FileAlreadyExistsException.class, () -> directory.rename("new", "left"));
      expectThrows(FileAlreadyExistsException.class, () -> write(directory, "left", new byte[2]));
      assertArrayEquals(new byte[1], read(directory, "left"));
    }
  }

  /** What a user deletes from the folder may be created anew. */
  public void testLeftFileIsRemovedByOthers() throws IOException {
    for (String name : List.of("first", "second", "third")) {
      write(disk, name, new byte[1]);
    }
    try (Directory directory = open()) {
      for (String name : disk.listAll()) {
        disk.deleteFile(name);
      }
      expectThrows(NoSuchFileException.class, () -> directory.sync(List.of("third")));
      expectThrows(NoSuchFileException.class, () -> directory.rename("third", "fourth"));
      write(directory, "first", new byte[2]);
      directory.rename("first", "second");
      assertArrayEquals(new byte[2], read(directory, "second"));
    }
  }

  /** A commit is not acknowledged while its older files are missing: memory still has them. */
  public void testSyncedFileIsRemovedByOthers() throws IOException {
    byte[] bytes = randomBytes(5_000);
    try (Directory directory = open()) {
      writeSynced(directory, "_0.si");
      write(directory, "_1.si", bytes);
      directory.sync(List.of("_0.si", "_1.si"));
      directory.syncMetaData();
      disk.deleteFile("_1.si");
      directory.sync(List.of("_0.si", "_1.si"));
      write(directory, "pending_segments_1", bytes);
      directory.sync(List.of("pending_segments_1"));
      directory.rename("pending_segments_1", "segments_1");
      directory.syncMetaData();
      assertEquals(1, disk.log().stream().filter("CREATE _0.si"::equals).count());
      assertArrayEquals(bytes, read(disk.afterPowerCut(random()), "_1.si"));
    }
  }

  /** The folder is emptied, and with it the lock: another process may use it now. */
  public void testLockIsRemovedByOthers() throws IOException {
    Path folder = createTempDir();
    try (Directory below = new NioDirectory(folder);
        Directory directory = RamDirectory.builder().backing(below).build()) {
      writeSynced(directory, "_0.si", "pending_segments_1");
      Files.delete(folder.resolve("ram-directory.lock"));
      for (IORunnable step :
          List.<IORunnable>of(
              () -> directory.sync(List.of("_0.si")),
              () -> directory.rename("pending_segments_1", "segments_1"),
              () -> directory.deleteFile("_0.si"))) {
        expectThrowsAnyOf(
            List.of(AlreadyClosedException.class, NoSuchFileException.class), step::run);
      }
      assertTrue(Files.exists(folder.resolve("pending_segments_1")));
    }
  }

  public void testOpenedAgainAfterFailure() throws IOException {
    Directory unreadable =
        new FilterDirectory(disk) {
          @Override
          public String[] listAll() throws IOException {
            throw new IOException("planted");
          }
        };
    expectThrows(
        IOException.class, () -> RamDirectory.builder().backing(unreadable).build().close());
    open().close();
  }

  /** The names of synced files are lost before the commit that has them is published. */
  public void testNamesLostAfterSync() throws IOException {
    byte[] bytes = randomBytes(5_000);
    try (Directory directory = open()) {
      for (String name : List.of("_0.si", "pending_segments_1")) {
        write(directory, name, bytes);
        directory.sync(List.of(name));
      }
      disk.with(Troubles.once(Trouble.LOST_PAGES));
      expectThrows(IOException.class, directory::syncMetaData);
      directory.rename("pending_segments_1", "segments_1");
      checkNamesSyncedBetween("SYNC _0.si", "RENAME pending_segments_1");
      directory.syncMetaData();
      Directory found = disk.afterPowerCut(random());
      for (String name : List.of("_0.si", "segments_1")) {
        assertArrayEquals(bytes, read(found, name));
      }
    }
  }

  /** Names are made durable just before the file is created, and are lost afterwards. */
  public void testNamesLostThatWereSyncedBeforeCreation() throws IOException {
    try (Directory directory = open()) {
      write(directory, "slow", new byte[1]);
      stepped.beforeCreate = _ -> directory.syncMetaData();
      directory.sync(List.of("slow"));
      disk.with(Troubles.once(Trouble.LOST_PAGES));
      expectThrows(IOException.class, directory::syncMetaData);
      checkWrittenAgain(directory);
    }
  }

  /** The name is lost while the bytes are on their way. */
  public void testNamesLostAfterCreation() throws Exception {
    try (Directory directory = open()) {
      write(directory, "slow", new byte[1]);
      FutureTask<IOException> lost =
          new FutureTask<>(() -> expectThrows(IOException.class, directory::syncMetaData));
      Thread loser = new Thread(lost);
      stepped.afterCreate =
          _ -> {
            stepped.afterCreate = _ -> {};
            disk.with(Troubles.once(Trouble.LOST_PAGES));
            loser.start();
            while (loser.getState() != State.BLOCKED && loser.isAlive()) {
              Thread.onSpinWait();
            }
          };
      directory.sync(List.of("slow"));
      lost.get();
      checkWrittenAgain(directory);
    }
  }

  private void checkWrittenAgain(Directory directory) throws IOException {
    directory.sync(List.of("slow"));
    assertEquals(2, disk.log().stream().filter("CREATE slow"::equals).count());
  }

  /**
   * The deletion of a commit fails, is made up for when another file is deleted, and is then asked
   * for again, as a new writer does that had listed the commit before.
   */
  public void testDeletionOfCommitAskedForAgain() throws IOException {
    try (Directory directory = open()) {
      writeSynced(directory, "segments_1", "_0.si");
      directory.syncMetaData();
      disk.with(Troubles.once(Trouble.ERROR));
      expectThrows(IOException.class, () -> directory.deleteFile("segments_1"));
      directory.deleteFile("_0.si");
      assertEquals(0, directory.listAll().length);
      directory.deleteFile("segments_1");
      assertEquals(0, disk.listAll().length);
      expectThrows(NoSuchFileException.class, () -> directory.deleteFile("segments_1"));
    }
  }

  /** Deletions that take effect and report an error: the commits are gone, but may come back. */
  public void testDeletionOfCommitOnlySeemsToFail() throws IOException {
    try (Directory directory = open()) {
      writeSynced(directory, "segments_1", "_0.si", "pending_segments_2");
      directory.syncMetaData();
      disk.with(Troubles.once(Trouble.DONE));
      expectThrows(IOException.class, () -> directory.rename("pending_segments_2", "segments_2"));
      assertTrue(names(directory).contains("segments_2"));
      for (String commit : List.of("segments_1", "segments_2")) {
        directory.syncMetaData();
        disk.with(Troubles.once(Trouble.DONE));
        expectThrows(IOException.class, () -> directory.deleteFile(commit));
      }
      assertFalse("only the backing had it", names(directory).contains("segments_2"));
      directory.deleteFile("_0.si");
      checkNamesSyncedBetween("DELETE segments_2!", "DELETE _0.si");
    }
  }

  /** Its name may be lost; if it was written again, a crash could leave half of it. */
  public void testCommitIsNotWrittenInPlace() throws IOException {
    try (Directory directory = open()) {
      writeSynced(directory, "pending_segments_1");
      directory.rename("pending_segments_1", "segments_1");
      disk.with(Troubles.once(Trouble.ERROR));
      expectThrows(IOException.class, directory::syncMetaData);
      directory.sync(List.of("segments_1"));
    }
    assertFalse(disk.log().toString(), disk.log().contains("CREATE segments_1"));
  }

  /** Another thread deletes and renames files that a sync has yet to write. */
  public void testChangedWhileSyncWaits() throws Exception {
    closeGate();
    try (Directory directory = open()) {
      byte[] first = randomBytes(3);
      byte[] second = randomBytes(4);
      List<String> names = List.of("slow1", "slow2", "slow3", "slow4", "deleted", "renamed");
      for (String name : names) {
        write(directory, name, first);
      }
      FutureTask<Void> sync = begin(() -> directory.sync(names));
      await(() -> creating);
      directory.deleteFile("deleted");
      directory.rename("renamed", "dest");
      write(directory, "renamed", second);
      gateOpen = true;
      sync.get();
      assertFalse(names(disk).contains("deleted"));
      directory.sync(List.of("dest", "renamed"));
      assertArrayEquals(first, read(disk, "dest"));
      assertArrayEquals(second, read(disk, "renamed"));
    }
  }

  /** The directory is closed while another thread syncs: that one must not believe it. */
  public void testSyncOfFileThatCloseGaveUp() throws Exception {
    closeGate();
    RamDirectory directory = open();
    write(directory, "slow", new byte[1]);
    FutureTask<Void> sync = begin(() -> directory.sync(List.of("slow")));
    await(() -> creating);
    directory.close();
    gateOpen = true;
    ExecutionException e = expectThrows(ExecutionException.class, sync::get);
    assertTrue(e.toString(), e.getCause() instanceof AlreadyClosedException);
  }

  /** What is done while the names are being made durable is not durable with them. */
  public void testDoneWhileNamesAreSynced() throws Exception {
    try (Directory directory = open()) {
      writeSynced(directory, "segments_1", "_0.si", "pending_segments_2");
      stepped.afterSyncMetaData = () -> directory.deleteFile("segments_1");
      directory.syncMetaData();
      directory.deleteFile("_0.si");
      checkNamesSyncedBetween("DELETE segments_1", "DELETE _0.si");
      stepped.afterSyncMetaData = () -> writeSynced(directory, "_1.si");
      directory.syncMetaData();
      directory.rename("pending_segments_2", "segments_2");
      checkNamesSyncedBetween("SYNC _1.si", "RENAME pending_segments_2");
    }
  }

  /** A second deletion of another file waits for the names, too, that the first one syncs. */
  public void testDeletedWhileNamesAreSynced() throws Exception {
    try (Directory directory = open()) {
      writeSynced(directory, "segments_1", "_0.si", "_1.si");
      directory.syncMetaData();
      directory.deleteFile("segments_1");
      int before = disk.log().size();
      stepped.afterSyncMetaData = () -> directory.deleteFile("_1.si");
      directory.deleteFile("_0.si");
      assertEquals(
          List.of("SYNC_META_DATA ", "SYNC_META_DATA ", "DELETE _1.si", "DELETE _0.si"),
          disk.log().subList(before, disk.log().size()));
    }
  }

  private static void writeSynced(Directory directory, String... names) throws IOException {
    for (String name : names) {
      write(directory, name, new byte[1]);
      directory.sync(List.of(name));
    }
  }

  private void checkNamesSyncedBetween(String first, String second) {
    List<String> log = disk.log();
    List<String> between = log.subList(log.lastIndexOf(first), log.lastIndexOf(second));
    assertTrue(log.toString(), between.contains("SYNC_META_DATA "));
  }
}
