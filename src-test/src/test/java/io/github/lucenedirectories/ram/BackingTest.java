// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.mmap.MappedDirectory;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.NumberedDocuments;
import io.github.lucenedirectories.testkit.durability.CommitRun;
import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.Troubles;
import io.github.lucenedirectories.testkit.durability.Troubles.Operation;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.SingleInstanceLockFactory;

/**
 * {@code RamDirectory} and its backing: what reaches it when, who may use it meanwhile, and commits
 * to a disk with troubles: failing operations, a full disk, writes that fall short, a sync that
 * loses its pages, a power cut. The caller sees an error, and no acknowledged commit is lost.
 */
public class BackingTest extends LibraryTestCase {

  private static final int COMMITS = 4;

  /** As many different disks are looked at after each power cut. */
  private static final int OUTCOMES = 3;

  private static IndexWriter writer(Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig();
    config.setUseCompoundFile(random().nextBoolean());
    return new IndexWriter(directory, config);
  }

  private static void add(IndexWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      writer.addDocument(NumberedDocuments.of(i, random().nextInt(2_000)));
    }
  }

  static RamDirectory open(Directory backing) throws IOException {
    return RamDirectory.builder().backing(backing).maxBytes(64L << 20).build();
  }

  /** One directory at a time uses a backing, whose locks are those of the directory. */
  public void testLocks() throws IOException {
    Path folder = createTempDir();
    try (Directory backing = new NioDirectory(folder);
        Directory other = new MappedDirectory(folder)) {
      try (RamDirectory directory = open(backing)) {
        // One that was refused has not taken the lock away.
        for (Directory refused : List.of(backing, other, backing)) {
          expectThrows(LockObtainFailedException.class, () -> open(refused));
        }
        try (Lock _ = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
          expectThrows(LockObtainFailedException.class, () -> writer(backing));
        }
        try (Lock _ = backing.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
          expectThrows(LockObtainFailedException.class, () -> writer(directory));
        }
      }
      open(backing).close();
    }
    RamDirectory.Builder both = RamDirectory.builder().backing(new CrashingBacking());
    expectThrowsAnyOf(
        List.of(IllegalArgumentException.class, IllegalStateException.class),
        () -> both.lockFactory(new SingleInstanceLockFactory()).build());
  }

  /** Without a commit nothing happens below, however often a reader is opened. */
  public void testReopeningTouchesMemoryOnly() throws IOException {
    CrashingBacking disk = new CrashingBacking();
    try (RamDirectory directory = open(disk);
        IndexWriter writer = writer(directory)) {
      add(writer, 0, 10);
      writer.commit();
      List<String> before = disk.log();
      for (int i = 10; i < 40; i++) {
        add(writer, i, i + 1);
        try (DirectoryReader reader = DirectoryReader.open(writer)) {
          NumberedDocuments.check(reader, i + 1);
        }
      }
      // Merges drop files that the backing never had; the commit keeps its own.
      assertEquals(before, disk.log());
      writer.commit();
      assertNotEquals(before, disk.log());
      NumberedDocuments.check(disk, 40);
    }
  }

  /** Closing writes nothing: what was not synced was not asked to be kept. */
  public void testCloseDoesNotWrite() throws IOException {
    CrashingBacking disk = new CrashingBacking();
    RamDirectory directory = open(disk);
    write(directory, "_0.dat", randomBytes(100));
    write(directory, "_1.dat", randomBytes(100));
    directory.sync(List.of("_0.dat"));
    assertTrue(names(directory).containsAll(List.of("_0.dat", "_1.dat")));
    List<String> before = disk.log();
    directory.close();
    assertEquals(before, disk.log());
    assertTrue(names(disk).contains("_0.dat"));
    assertFalse(names(disk).contains("_1.dat"));
    expectThrows(AlreadyClosedException.class, directory::listAll);
  }

  /** Files that only the backing has are listed, and can be deleted: a new writer tidies up. */
  public void testUnionWithTheBacking() throws IOException {
    CrashingBacking disk = new CrashingBacking();
    try (IndexWriter writer = writer(disk)) {
      add(writer, 0, 20);
    }
    byte[] bytes = randomBytes(3_000);
    write(disk, "_7.dat", bytes);
    write(disk, "_8_left_0.tmp", bytes);
    try (RamDirectory directory = open(disk)) {
      assertTrue(Arrays.asList(directory.listAll()).containsAll(List.of(disk.listAll())));
      assertEquals(bytes.length, directory.fileLength("_7.dat"));
      assertArrayEquals(bytes, read(directory, "_7.dat"));
      try (IndexOutput output = directory.createTempOutput("_8", "left", IOContext.DEFAULT)) {
        assertEquals("_8_left_1.tmp", output.getName());
      }
      writer(directory).close();
      assertEquals(-1, Arrays.asList(directory.listAll()).indexOf("_7.dat"));
      assertEquals(-1, Arrays.asList(disk.listAll()).indexOf("_8_left_0.tmp"));
      NumberedDocuments.check(disk, 20);
      // What the commits need is in memory: reads do not go below.
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        for (String name : disk.listAll()) {
          disk.deleteFile(name);
        }
        NumberedDocuments.check(reader, 20);
      }
    }
  }

  /** The power goes, and a new directory goes on with what is found. */
  public void testGoOnAfterPowerCut() throws IOException {
    for (int i = atLeast(12); i > 0; i--) {
      AtomicInteger left = new AtomicInteger(random().nextInt(400));
      CommitRun run = new CommitRun(random().nextLong());
      CrashingBacking disk = new CrashingBacking();
      disk.with((_, _, _) -> left.getAndDecrement() == 0 ? Trouble.POWER_CUT : Trouble.NONE);
      try (Directory directory = open(disk)) {
        run.commit(directory, COMMITS);
      } catch (IOException e) {
        assertTrue("failed without trouble: " + e, disk.powerless());
      }
      assertTrue(run.failures().toString(), disk.powerless() || run.acknowledged() == COMMITS);
      for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        run.check(disk.afterPowerCut(random()));
      }
      CrashingBacking found = disk.afterPowerCut(random());
      run.checkAndGoOn(found);
      try (Directory directory = open(found)) {
        run.check(directory);
        assertTrue(run.failures().toString(), run.commit(directory, 2));
      }
      run.check(found.afterPowerCut(random()));
    }
  }

  /** With troubles and without: also a power cut before any operation would leave the commits. */
  public void testRandomTroubles() throws IOException {
    runWithTroubles(Troubles.NONE, 1, 4);
    for (int i = atLeast(8); i > 0; i--) {
      Troubles troubles = Troubles.random(random().nextLong(), 1 << random().nextInt(3, 8));
      runWithTroubles(troubles, 12, 200);
    }
  }

  /** Looks before one in so many operations at what a power cut would leave. */
  private static void runWithTroubles(Troubles troubles, int rounds, int looksOneIn)
      throws IOException {
    CrashingBacking disk = new CrashingBacking();
    CommitRun run = new CommitRun(random().nextLong());
    // Other threads of the directory ask as well.
    Random random = new Random(random().nextLong());
    // Thrown at the end: the directory under test might swallow it.
    AtomicReference<AssertionError> failure = new AtomicReference<>();
    try (Directory directory = open(disk)) {
      disk.with(
          (operation, name, bytes) -> {
            long acknowledged = run.acknowledged();
            if (random.nextInt(operation == Operation.WRITE ? 8 * looksOneIn : looksOneIn) == 0) {
              try {
                run.check(disk.afterPowerCut(random), acknowledged);
              } catch (AssertionError e) {
                failure.set(new AssertionError("before " + operation + " " + name, e));
              }
            }
            return troubles.at(operation, name, bytes);
          });
      for (int i = 0; i < rounds; i++) {
        run.commit(directory, random().nextInt(1, COMMITS));
        run.check(disk.afterPowerCut(random()));
        run.check(directory);
      }
      disk.with(Troubles.NONE);
      assertTrue(run.failures().toString(), run.commit(directory, 2));
      run.check(directory);
      for (int outcome = 0; outcome < OUTCOMES; outcome++) {
        run.check(disk.afterPowerCut(random()));
      }
    }
    if (failure.get() != null) {
      throw failure.get();
    }
  }
}
