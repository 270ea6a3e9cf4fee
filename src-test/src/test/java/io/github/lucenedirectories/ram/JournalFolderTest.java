// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.MetricSource;
import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.JournalWorld.Found;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import io.github.lucenedirectories.testkit.fault.FaultyFileSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.FlushInfo;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.tests.util.LuceneTestCase;
import org.apache.lucene.util.IOUtils;

/** What the folders of a journal's indexes hold, and which of them it knows. */
@LuceneTestCase.SuppressSysoutChecks(bugUrl = "failures of checkpoints are logged")
public class JournalFolderTest extends JournalTestCase {

  private static final int LARGE_BYTES = 40_000;

  /** While a link takes the place of another, the folder has one of them. */
  public void testFolderAlwaysHasLink() throws IOException {
    AtomicInteger deleted = new AtomicInteger();
    try (Directory folder =
        new FilterDirectory(new ByteBuffersDirectory()) {
          @Override
          public void deleteFile(String name) throws IOException {
            in.deleteFile(name);
            assertNotNull(JournalLink.in(in));
            deleted.getAndIncrement();
          }
        }) {
      UUID journal = UUID.randomUUID();
      UUID index = UUID.randomUUID();
      for (long position : new long[] {0, 0, 1 << 12}) {
        for (boolean closed : new boolean[] {false, true}) {
          JournalLink link = new JournalLink(journal, index, position, closed, "journal");
          link.write(folder);
          assertEquals(link, JournalLink.in(folder));
        }
      }
    }
    assertTrue("deleted=" + deleted, deleted.get() > 3);
  }

  /** A closed directory needs nothing of a journal that it has filled. */
  public void testClosedAfterFullRing() throws IOException {
    Path folder = createTempDir();
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
        Directory directory = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
      commitUntilUsed(directory, journal, RING_BYTES / 4);
    }
    try (Directory directory = open(path(), folder)) {
      assertTrue(numDocs(directory) > 0);
    }
  }

  /** What a folder notes during a write does not count on that write. */
  public void testOpenedDuringWrite() throws IOException {
    JournalWorld world = new JournalWorld(path(), 2, random().nextLong());
    List<Found> cuts = new ArrayList<>();
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory first = open(world, 0, journal);
        IndexWriter writer = writer(first)) {
      writer.addDocument(document(0));
      world.duringWrite =
          () -> {
            world.duringWrite = () -> {};
            try (Directory _ = open(world, 1, journal)) {
              IntStream.range(0, 10).forEach(_ -> cuts.add(world.cut()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          };
      writer.commit();
    }
    assertEquals(10, cuts.size());
    for (Found cut : cuts) {
      JournalWorld then = new JournalWorld(path(), cut, random().nextLong());
      try (CommitJournal journal = then.open(RING_BYTES)) {
        for (int i = 0; i < 2; i++) {
          open(then, i, journal).close();
        }
      }
    }
  }

  /** A file that is moved to the folder during a listing is listed. */
  public void testListedWhileMoved() throws IOException {
    SteppedDirectory folder = new SteppedDirectory(new NioDirectory(createTempDir()));
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
        Directory directory = new NrtCacheDirectory(folder, journal)) {
      write(directory, "_0.big", new byte[1 << 16]);
      folder.afterListAll = () -> directory.sync(List.of("_0.big"));
      assertEquals(List.of("_0.big"), List.of(directory.listAll()));
      assertEquals(List.of("_0.big"), List.of(directory.listAll()));
    }
  }

  /** A commit that is copied into the directory is not found without its files. */
  public void testCopiedCommit() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    List<Found> cuts = new ArrayList<>();
    try (Directory source = new ByteBuffersDirectory()) {
      addOne(source);
      try (Directory directory = open(world)) {
        world.watcher = _ -> IntStream.range(0, 8).forEach(_ -> cuts.add(world.cut()));
        for (String name : source.listAll()) {
          directory.copyFrom(source, name, name, IOContext.DEFAULT);
        }
        directory.sync(List.of(source.listAll()));
        directory.syncMetaData();
        world.watcher = _ -> {};
      }
      int found = 0;
      for (Found cut : cuts) {
        Directory disk = cut.disks().getFirst();
        String commit = SegmentInfos.getLastCommitSegmentsFileName(disk);
        // One that was written in part is not read.
        if (commit != null && Arrays.equals(read(source, commit), read(disk, commit))) {
          assertEquals(1, numDocs(disk));
          found++;
        }
      }
      assertTrue("found=" + found, found > 0);
    }
  }

  /** A checkpoint that fails for one index brings the others up to date. */
  public void testOneFailsAtCheckpoint() throws IOException {
    SteppedDirectory broken = new SteppedDirectory(new NioDirectory(createTempDir()));
    Path folder = createTempDir();
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
        Directory first = new NrtCacheDirectory(broken, journal);
        Directory second = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
      addOne(first);
      addOne(second);
      broken.beforeCreate = JournalFolderTest::refuse;
      expectThrows(IOException.class, journal::checkpoint);
      try (Directory reader = new NioDirectory(folder)) {
        assertEquals(1, numDocs(reader));
      }
      broken.beforeCreate = _ -> {};
    }
  }

  /**
   * A directory whose last checkpoint failed has its commits when it is opened again. Then they
   * cannot be discarded any more.
   */
  public void testClosedWithoutCheckpoint() throws IOException {
    Path folder = createTempDir().toRealPath();
    SteppedDirectory broken = new SteppedDirectory(new NioDirectory(folder));
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES)) {
      Directory directory = new NrtCacheDirectory(broken, journal);
      addOne(directory);
      broken.beforeCreate =
          name -> {
            if (name.startsWith(JournalLink.PREFIX + "_")) {
              refuse(name);
            }
          };
      expectThrows(IOException.class, directory::close);
      assertEquals(Set.of(folder.toString()), journal.unrecoveredFolders());
      try (Directory reopened = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
        assertEquals(1, numDocs(reopened));
        addOne(reopened);
        assertEquals(Set.of(), journal.unrecoveredFolders());
        expectThrows(IllegalArgumentException.class, () -> journal.discard(folder.toString()));
      }
    }
  }

  /** A commit survives that is made during a checkpoint, after the one before it was deleted. */
  public void testNewestCommitDeleted() throws Exception {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    SteppedDirectory slow = new SteppedDirectory(world.folder(0));
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = new NrtCacheDirectory(slow, 1, 4, journal)) {
      addKept(directory);
      if (random().nextBoolean()) {
        journal.checkpoint();
      }
      addKept(directory);
      directory.deleteFile(SegmentInfos.getLastCommitSegmentsFileName(directory));
      FutureTask<Void> commit =
          new FutureTask<>(
              () -> {
                addKept(directory);
                return null;
              });
      slow.beforeSyncMetaData =
          () -> {
            slow.beforeSyncMetaData = () -> {};
            startAndAwait(new Thread(commit));
          };
      journal.checkpoint();
      commit.get();
      checkAfterCut(world, 1, 2);
    }
  }

  private static void refuse(String name) throws IOException {
    throw new IOException("planted: " + name);
  }

  /** A checkpoint passes over a directory that is closed before its turn, and opened again. */
  public void testReopenedDuringCheckpoint() throws IOException {
    Path folder = createTempDir();
    SteppedDirectory slow = new SteppedDirectory(new NioDirectory(createTempDir()));
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
        Directory first = new NrtCacheDirectory(slow, journal)) {
      Directory second = new NrtCacheDirectory(new NioDirectory(folder), journal);
      List<Directory> reopened = new ArrayList<>();
      addOne(first);
      addOne(second);
      slow.beforeSyncMetaData =
          () -> {
            slow.beforeSyncMetaData = () -> {};
            second.close();
            reopened.add(new NrtCacheDirectory(new NioDirectory(folder), journal));
            addOne(reopened.getFirst());
          };
      journal.checkpoint();
      assertEquals(2, numDocs(reopened.getFirst()));
      IOUtils.close(reopened);
    }
    try (Directory reader = new NioDirectory(folder)) {
      assertEquals(2, numDocs(reader));
    }
  }

  /** After a clean close a folder lacks nothing: it may be deleted, and another index be made. */
  public void testDeletedFolder() throws IOException {
    Path path = path();
    Path folder = createTempDir();
    for (int life = 0; life < 3; life++) {
      try (CommitJournal journal = CommitJournal.open(path, RING_BYTES)) {
        assertEquals(Set.of(), journal.unrecoveredFolders());
        try (Directory directory = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
          assertEquals(0, numDocs(directory));
          addOne(directory);
        }
      }
      try (CommitJournal journal = CommitJournal.open(path)) {
        assertEquals(Set.of(), journal.unrecoveredFolders());
      }
      IOUtils.rm(folder);
    }
  }

  /**
   * A folder lacks nothing if its directory was closed, but the process killed before its journal.
   */
  public void testKilledAfterDirectoryClosed() throws IOException {
    Path path = path();
    Path folder = createTempDir();
    Path killed = createTempFile();
    try (CommitJournal journal = CommitJournal.open(path, RING_BYTES)) {
      try (Directory directory = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
        addOne(directory);
      }
      Files.copy(path, killed, StandardCopyOption.REPLACE_EXISTING);
    }
    Files.copy(killed, path, StandardCopyOption.REPLACE_EXISTING);
    try (CommitJournal journal = CommitJournal.open(path)) {
      assertEquals(Set.of(), journal.unrecoveredFolders());
    }
  }

  /** A checkpoint writes over nothing that another has committed to the folder meanwhile. */
  public void testForeignCommitBeforeCheckpoint() throws IOException {
    // The first one has the name of the commit that the checkpoint would publish.
    for (int foreign = 1; foreign <= 2; foreign++) {
      Path path = path();
      Path folder = createTempDir();
      try (CommitJournal journal = CommitJournal.open(path, RING_BYTES)) {
        Directory directory = new NrtCacheDirectory(new NioDirectory(folder), journal);
        addOne(directory);
        try (Directory other = new NioDirectory(folder)) {
          for (int i = 0; i < foreign; i++) {
            addOne(other);
          }
          String commit = SegmentInfos.getLastCommitSegmentsFileName(other);
          byte[] bytes = read(other, commit);
          expectError("something else has written", journal::checkpoint);
          expectThrows(IOException.class, directory::close);
          assertArrayEquals(bytes, read(other, commit));
          assertEquals(foreign, numDocs(other));
        }
      }
      try (CommitJournal journal = CommitJournal.open(path)) {
        assertEquals(1, journal.unrecoveredFolders().size());
        expectThrows(
            IOException.class, () -> new NrtCacheDirectory(new NioDirectory(folder), journal));
        journal.discard(folder.toString());
        try (Directory directory = new NrtCacheDirectory(new NioDirectory(folder), journal)) {
          assertEquals(foreign, numDocs(directory));
        }
      }
    }
  }

  /** A foreign commit is not taken for the journal's, although name and length are the same. */
  public void testForeignCommitOfSameLength() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = open(world, 0, journal)) {
      addOne(directory);
      journal.checkpoint();
      addOne(directory);
      JournalWorld then = afterCut(world);
      addOne(then.disk(0));
      String commit = SegmentInfos.getLastCommitSegmentsFileName(directory);
      assertEquals(directory.fileLength(commit), then.disk(0).fileLength(commit));
      expectError("something else has written", () -> open(then));
      assertEquals(2, numDocs(then.disk(0)));
    }
  }

  /** Files that another process has left in the folder become durable before a commit of them. */
  public void testUnsyncedFiles() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (Directory source = new ByteBuffersDirectory()) {
      addOne(source);
      for (String name : source.listAll()) {
        world.disk(0).copyFrom(source, name, name, IOContext.DEFAULT);
      }
    }
    try (Directory directory = open(world)) {
      addOne(directory);
      for (int i = 0; i < 10; i++) {
        checkAfterCut(world, 1, 2);
      }
    }
  }

  private static void createLarge(Directory directory, String name) throws IOException {
    IOContext large = IOContext.flush(new FlushInfo(1, 4 << 20));
    try (IndexOutput output = directory.createOutput(name, large)) {
      output.writeBytes(new byte[LARGE_BYTES], LARGE_BYTES);
    }
  }

  private static void checkLarge(JournalWorld world, String name) throws IOException {
    for (int i = 0; i < 20; i++) {
      assertArrayEquals(new byte[LARGE_BYTES], read(world.cut().disks().getFirst(), name));
    }
  }

  /** As a replica does that copies to another name first. */
  public void testRenamedBeforeSync() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (Directory directory = open(world)) {
      createLarge(directory, "_0.tmp");
      directory.rename("_0.tmp", "_0.cfs");
      directory.sync(List.of("_0.cfs"));
      directory.syncMetaData();
      checkLarge(world, "_0.cfs");
    }
  }

  /** A name that comes while names are made durable waits for the next time. */
  public void testCreatedDuringSync() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    SteppedDirectory folder = new SteppedDirectory(world.folder(0));
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = new NrtCacheDirectory(folder, 1, 4, journal)) {
      createLarge(directory, "_0.cfs");
      folder.afterSyncMetaData = () -> createLarge(directory, "_1.cfs");
      directory.syncMetaData();
      directory.sync(List.of("_1.cfs"));
      directory.syncMetaData();
      checkLarge(world, "_1.cfs");
    }
  }

  /** Of two links that of an open directory counts, whatever their positions. */
  public void testTwoLinks() throws IOException {
    UUID journal = UUID.randomUUID();
    UUID index = UUID.randomUUID();
    JournalLink open = new JournalLink(journal, index, 1 << 12, false, "open");
    JournalLink closed = new JournalLink(journal, index, 1 << 13, true, "closed");
    try (Directory folder = new ByteBuffersDirectory();
        Directory other = new ByteBuffersDirectory()) {
      closed.write(folder);
      open.write(other);
      folder.copyFrom(other, open.name(), open.name(), IOContext.DEFAULT);
      assertEquals(open, JournalLink.in(folder));
    }
  }

  /** A file that was deleted and made again has its new contents, and is not deleted again. */
  public void testMadeAgain() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (Directory directory = open(world);
        IndexWriter writer = writer(directory)) {
      for (byte content = 0; content < 2; content++) {
        if (content > 0) {
          directory.deleteFile("_z.dat");
        }
        write(directory, "_z.dat", new byte[] {content});
        writer.addDocument(document(content));
        writer.prepareCommit();
        directory.sync(List.of("_z.dat"));
        writer.commit();
      }
      commit(writer, document(2));
      try (Directory found = open(afterCut(world))) {
        assertArrayEquals(new byte[] {1}, read(found, "_z.dat"));
      }
    }
  }

  /** A large file whose sync failed is synced again before a commit of it. */
  public void testLargeFileNotSynced() throws IOException {
    for (double megabytes : new double[] {0.01, 1}) {
      JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
      SteppedDirectory folder = new SteppedDirectory(world.folder(0));
      try (CommitJournal journal = world.open(RING_BYTES);
          Directory directory = new NrtCacheDirectory(folder, megabytes, 4 * megabytes, journal);
          IndexWriter writer = writer(directory)) {
        writer.addDocument(document(0, LARGE_BYTES));
        folder.beforeSync =
            () -> {
              folder.beforeSync = () -> {};
              throw new IOException("planted");
            };
        expectThrows(IOException.class, writer::commit);
        writer.commit();
        checkAfterCut(world, 1, 1);
      }
    }
  }

  /** A commit is not brought into a folder that has lost one of its large files. */
  public void testLostLargeFile() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (Directory directory = open(world);
        IndexWriter writer = writer(directory)) {
      commit(writer, document(0, LARGE_BYTES));
      JournalWorld then = afterCut(world);
      String large =
          Arrays.stream(then.disk(0).listAll())
              .filter(name -> name.startsWith("_"))
              .findFirst()
              .orElseThrow();
      then.disk(0).deleteFile(large);
      expectError("missing=[" + large + "]", () -> open(then));
    }
  }

  /** If neither the journal nor the folder has room, the first phase of a commit says so. */
  public void testNoRoomAnywhere() throws IOException {
    SteppedDirectory full = new SteppedDirectory(new NioDirectory(createTempDir()));
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
        Directory directory = new NrtCacheDirectory(full, journal);
        IndexWriter writer = writer(directory)) {
      commit(writer, document(0));
      full.beforeCreate = JournalFolderTest::refuse;
      while (journal.file().hasRoom(LARGE_BYTES / 4)) {
        commit(writer, document(0));
      }
      writer.addDocument(document(0, LARGE_BYTES / 4));
      expectThrows(IOException.class, writer::prepareCommit);
      writer.rollback();
      full.beforeCreate = _ -> {};
    }
  }

  /** Threads that sync while the journal is full move each other's files to the folder. */
  public void testConcurrentSyncs() throws Exception {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    world.troubles = () -> Trouble.ERROR;
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = open(world, 0, journal)) {
      addOne(directory);
      assertEquals(1, metric(journal, "journal.failed"));
      List<FutureTask<Void>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        String prefix = "_" + thread;
        tasks.add(
            begin(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    String name = prefix + i + ".dat";
                    directory.createOutput(name, IOContext.DEFAULT).close();
                    directory.sync(List.of(name));
                  }
                }));
      }
      for (FutureTask<Void> task : tasks) {
        task.get();
      }
    }
  }

  /** Later changes do not put off a checkpoint, and a close that is refused ends none. */
  public void testTimeOfCheckpoint() throws IOException {
    Directory below = new ByteBuffersDirectory();
    try (CommitJournal journal = impatient();
        Directory directory = new NrtCacheDirectory(below, journal);
        IndexWriter writer = writer(directory)) {
      expectThrows(IllegalStateException.class, journal::close);
      for (int i = 0; numDocs(below) == 0; i++) {
        assertTrue("waits in vain", i < 100);
        commit(writer, document(i));
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    }
  }

  /** A checkpoint that failed is tried again, and a commit during one has one of its own. */
  public void testCheckpointFollows() throws IOException {
    Directory below = new ByteBuffersDirectory();
    SteppedDirectory stepped = new SteppedDirectory(below);
    try (CommitJournal journal = impatient();
        Directory directory = new NrtCacheDirectory(stepped, journal)) {
      stepped.beforeSync =
          () -> {
            stepped.beforeSync =
                () -> {
                  stepped.beforeSync = () -> {};
                  addOne(directory);
                };
            throw new IOException("planted");
          };
      addOne(directory);
      // Nothing else changes.
      await(() -> metric(journal, "journal.checkpoints") > 1);
      assertEquals(2, numDocs(below));
    }
  }

  /** A checkpoint frees the memory before it is full. */
  public void testCheckpointFreesMemory() throws IOException {
    try (CommitJournal journal = CommitJournal.open(path(), 1 << 24);
        Directory directory = new NrtCacheDirectory(new ByteBuffersDirectory(), 1, 1, journal);
        IndexWriter writer = writer(directory)) {
      journal.checkpointNanos = TimeUnit.HOURS.toNanos(1);
      MetricSource source = (MetricSource) directory;
      double most = metric(source, "nrt.max.bytes");
      while (metric(journal, "journal.checkpoints") == 0
          && metric(source, "nrt.used.bytes") < most * 3 / 4) {
        commit(writer, document(0, 10_000));
      }
      await(() -> metric(journal, "journal.checkpoints") > 0);
    }
  }

  private CommitJournal impatient() throws IOException {
    CommitJournal journal = CommitJournal.open(path(), 1 << 24);
    journal.checkpointNanos = TimeUnit.SECONDS.toNanos(1);
    return journal;
  }

  /** A recovery does not write what was deleted before the newest commit. */
  public void testDeletedIsNotRecovered() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (Directory directory = open(world);
        IndexWriter writer = writer(directory)) {
      for (int i = 0; i < 5; i++) {
        commit(writer, document(i));
      }
      JournalWorld then = afterCut(world);
      try (Directory found = open(then)) {
        assertEquals(5, numDocs(found));
      }
      List<String> left =
          Arrays.stream(then.disk(0).listAll()).filter(IndexLoader::isCommit).toList();
      // The deletion of the last but one is in no record.
      assertTrue(left.toString(), left.size() <= 2);
    }
  }

  /** A copy that a failed checkpoint could not delete has no name that Lucene can parse. */
  public void testPendingCopy() throws IOException {
    Path folder = Files.createDirectories(path());
    FaultyFileSystem files = FaultyFileSystem.over(folder);
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
        Directory below = new NioDirectory(files.wrapPath(folder));
        Directory directory = new NrtCacheDirectory(below, journal)) {
      addOne(directory);
      for (String name : directory.listAll()) {
        files.unsyncable.add(JournalLink.PREFIX + name);
        files.undeletable.add(JournalLink.PREFIX + name);
      }
      expectThrows(IOException.class, journal::checkpoint);
      assertTrue(below.getPendingDeletions().stream().anyMatch(JournalLink::isInternal));
      addOne(directory);
      assertTrue(directory.getPendingDeletions().stream().noneMatch(JournalLink::isInternal));
      files.unsyncable.clear();
      files.undeletable.clear();
      journal.checkpoint();
      try (DirectoryReader reader = DirectoryReader.open(below)) {
        assertEquals(2, reader.numDocs());
      }
    }
  }

  /** A checkpoint in the background that fails with any error is not the last one. */
  public void testUncheckedErrorInBackground() throws Exception {
    AtomicInteger failed = new AtomicInteger();
    SteppedDirectory broken = new SteppedDirectory(new ByteBuffersDirectory());
    broken.beforeCreate =
        name -> {
          if (name.startsWith(JournalLink.PREFIX + "_")) {
            failed.getAndIncrement();
            throw new IllegalStateException("planted");
          }
        };
    CommitJournal journal = CommitJournal.open(path(), RING_BYTES);
    journal.checkpointNanos = TimeUnit.HOURS.toNanos(1);
    try (Directory second = new NrtCacheDirectory(new NioDirectory(createTempDir()), journal)) {
      Directory first = new NrtCacheDirectory(broken, journal);
      commitUntilUsed(first, journal, RING_BYTES / 2);
      await(() -> failed.get() > 0);
      // It is not tried again at once: each time it copies all files.
      addOne(first);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1_200));
      assertEquals(1, failed.get());
      // Closing makes a checkpoint too.
      expectThrows(IllegalStateException.class, first::close);
      commitUntilUsed(second, journal, RING_BYTES * 11 / 16);
      await(() -> metric(journal, "journal.checkpoints") > 0);
    }
    journal.close();
  }

  private static void commitUntilUsed(Directory directory, CommitJournal journal, long bytes)
      throws IOException {
    try (IndexWriter writer = writer(directory)) {
      while (metric(journal, "journal.used.bytes") <= bytes) {
        commit(writer, document(0));
      }
    }
  }
}
