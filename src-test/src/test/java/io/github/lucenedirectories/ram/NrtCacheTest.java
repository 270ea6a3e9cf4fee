// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.Troubles;
import io.github.lucenedirectories.testkit.durability.Troubles.Operation;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.apache.lucene.tests.store.MockDirectoryWrapper;
import org.apache.lucene.util.IOUtils;

/** When files move from the cache for near-real-time search to the other directory. */
public class NrtCacheTest extends LibraryTestCase {

  private final CrashingBacking disk = new CrashingBacking();
  private final byte[] bytes = randomBytes(5_000);

  private NrtCacheDirectory open(Directory below) {
    return new NrtCacheDirectory(below, 0.02, 1);
  }

  /** Those that were in memory, and one that never was. */
  public void testSyncedFilesAndTheirNamesAreDurable() throws IOException {
    IOContext large = IOContext.merge(new MergeInfo(1, 1 << 30, false, 1));
    try (NrtCacheDirectory directory = open(disk)) {
      write(directory, "_0.dat", bytes);
      assertArrayEquals(new String[] {"_0.dat"}, directory.listCachedFiles());
      directory.sync(List.of("_0.dat"));
      assertEquals(0, directory.listCachedFiles().length);
      for (int i = 0; i < 20; i++) {
        assertArrayEquals(bytes, read(disk.afterPowerCut(random()), "_0.dat"));
      }
      try (IndexOutput output = directory.createOutput("_1.dat", large)) {
        output.writeBytes(bytes, bytes.length);
      }
      assertEquals(0, directory.listCachedFiles().length);
      directory.sync(List.of("_1.dat"));
      directory.syncMetaData();
      assertTrue(disk.log().toString(), disk.log().contains("SYNC _1.dat"));
      for (int i = 0; i < 20; i++) {
        assertArrayEquals(bytes, read(disk.afterPowerCut(random()), "_1.dat"));
      }
    }
  }

  public void testFailedSyncLeavesFilesInMemory() throws IOException {
    try (NrtCacheDirectory directory = open(disk)) {
      for (Operation failing : List.of(Operation.WRITE, Operation.SYNC)) {
        write(directory, "_0.dat", bytes);
        disk.with((step, _, _) -> step == failing ? Trouble.ERROR : Trouble.NONE);
        expectThrows(IOException.class, () -> directory.sync(List.of("_0.dat")));
        disk.with(Troubles.NONE);
        assertEquals(0, disk.listAll().length);
        assertArrayEquals(bytes, read(directory, "_0.dat"));
        directory.deleteFile("_0.dat");
        write(directory, "_0.dat", bytes);
        directory.sync(List.of("_0.dat"));
        directory.deleteFile("_0.dat");
      }
    }
  }

  /** No file, because the other directory refuses to be closed then, and no lock. */
  public void testFailuresLeaveNothingOpen() throws Exception {
    MockDirectoryWrapper below = new MockDirectoryWrapper(random(), new ByteBuffersDirectory());
    below.setCheckIndexOnClose(false);
    int failures = 0;
    NrtCacheDirectory directory = open(below);
    for (int i = 0; i < 200; i++) {
      below.setRandomIOExceptionRate(0.3);
      below.setRandomIOExceptionRateOnOpen(0.1);
      try {
        // Some files leave the memory while they are written.
        writeInPieces(directory, randomBytes(random().nextInt(50_000)));
        directory.sync(List.of("_0.dat"));
      } catch (IOException _) {
        failures++;
      }
      below.setRandomIOExceptionRate(0);
      below.setRandomIOExceptionRateOnOpen(0);
      IOUtils.deleteFilesIgnoringExceptions(directory, "_0.dat");
    }
    begin(() -> directory.close()).get(30, TimeUnit.SECONDS);
    assertTrue("nothing failed", failures > 0);
    assertFalse(below.isOpen());
  }

  /** A user empties the folder: what was there before is no reason to refuse a new index. */
  public void testEmptiedByOthers() throws IOException {
    write(disk, "_0.dat", bytes);
    write(disk, "_1.dat", bytes);
    try (NrtCacheDirectory directory = open(disk)) {
      expectThrows(FileAlreadyExistsException.class, () -> write(directory, "_0.dat", bytes));
      empty(disk);
      expectThrows(NoSuchFileException.class, () -> directory.deleteFile("_1.dat"));
      for (String name : List.of("_0.dat", "_1.dat")) {
        write(directory, name, bytes);
        directory.deleteFile(name);
      }
      for (int i = 0; i < 2; i++) {
        empty(disk);
        IndexWriterConfig config = new IndexWriterConfig().setOpenMode(OpenMode.CREATE);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
          writer.addDocument(new Document());
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(disk)) {
        assertEquals(1, reader.numDocs());
      }
    }
  }

  private static void empty(Directory directory) throws IOException {
    for (String name : directory.listAll()) {
      directory.deleteFile(name);
    }
  }

  /** All but a file that is not complete. */
  public void testCloseWritesWhatIsInMemory() throws IOException {
    Directory directory =
        open(
            new FilterDirectory(disk) {
              @Override
              public void close() {
                // The test reads it.
              }
            });
    write(directory, "_0.dat", bytes);
    IndexOutput open = directory.createOutput("_1.dat", IOContext.DEFAULT);
    write(directory, "_2.dat", bytes);
    expectThrows(AccessDeniedException.class, () -> directory.sync(List.of("_0.dat", "_1.dat")));
    directory.close();
    assertEquals(List.of("_0.dat", "_2.dat"), names(disk));
    assertArrayEquals(bytes, read(disk, "_0.dat"));
    assertArrayEquals(bytes, read(disk, "_2.dat"));
    IOUtils.closeWhileHandlingException(open);
  }

  /** A file that the other directory refuses is lost, unlike one that was never completed. */
  public void testCloseThatIsRefusedFails() throws IOException {
    SteppedDirectory below = new SteppedDirectory(disk);
    Directory directory = open(below);
    write(directory, "_0.dat", bytes);
    below.beforeCreate =
        name -> {
          throw new AccessDeniedException(name);
        };
    expectThrows(AccessDeniedException.class, directory::close);
  }

  public void testDeletedWhileItMoves() throws IOException {
    SteppedDirectory below = new SteppedDirectory(disk);
    try (Directory directory = open(below)) {
      below.beforeCreate = directory::deleteFile;
      write(directory, "_0.dat", bytes);
      directory.sync(List.of("_0.dat"));
      assertEquals(0, directory.listAll().length);
    }
  }

  public void testMovedWhileItIsListed() throws IOException {
    SteppedDirectory below = new SteppedDirectory(disk);
    try (Directory directory = open(below)) {
      write(directory, "_0.dat", bytes);
      below.afterListAll = () -> directory.sync(List.of("_0.dat"));
      assertEquals(List.of("_0.dat"), names(directory));
    }
  }

  /** Each use of a file finds it in memory or in the other directory. */
  public void testUsedWhileItMoves() throws Exception {
    try (Directory directory = open(disk)) {
      for (int i = 0; i < 100; i++) {
        String name = "_" + i + ".dat";
        write(directory, name, bytes);
        FutureTask<Void> syncing = begin(() -> directory.sync(List.of(name)));
        do {
          assertTrue(names(directory).contains(name));
          assertEquals(bytes.length, directory.fileLength(name));
          assertArrayEquals(bytes, read(directory, name));
        } while (!syncing.isDone());
        syncing.get();
        directory.deleteFile(name);
      }
    }
  }

  private static WeakReference<IndexOutput> writeInPieces(Directory directory, byte[] all)
      throws IOException {
    try (IndexOutput output = directory.createOutput("_0.dat", IOContext.DEFAULT)) {
      for (int done = 0; done < all.length; ) {
        int n = Math.min(all.length - done, 1 + random().nextInt(3_000));
        output.writeBytes(all, done, n);
        done += n;
      }
      return new WeakReference<>(output);
    }
  }

  /** Without native calls a complete file is copied, for which the memory may not suffice. */
  public void testFileMovesWhenItIsComplete() throws IOException {
    byte[] all = randomBytes(600_000 + random().nextInt(300_000));
    try (NrtCacheDirectory directory = new NrtCacheDirectory(disk, 1, 1)) {
      writeInPieces(directory, all);
      directory.sync(List.of("_0.dat"));
      assertArrayEquals(all, read(disk, "_0.dat"));
      assertTrue(disk.log().toString(), disk.log().contains("CLOSE _0.dat"));
    }
  }

  /** A file of which nothing is known turns out too long while it is written. */
  public void testLongFileMovesWhileItIsWritten() throws IOException {
    byte[] all = randomBytes(100_000);
    try (NrtCacheDirectory directory = open(disk)) {
      WeakReference<IndexOutput> written = writeInPieces(directory, all);
      assertEquals(0, directory.listCachedFiles().length);
      await(
          () -> {
            System.gc();
            return written.refersTo(null);
          });
      // Without native calls its memory is released in the background.
      await(() -> directory.ramBytesUsed() == 0);
      assertArrayEquals(all, read(disk, "_0.dat"));
    }
  }
}
