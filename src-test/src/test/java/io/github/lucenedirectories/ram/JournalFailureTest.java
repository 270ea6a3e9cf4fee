// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import static io.github.lucenedirectories.ram.IndexLoader.isCommit;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.ram.JournalWorkload.Expected;
import io.github.lucenedirectories.ram.JournalWorld.Found;
import io.github.lucenedirectories.testkit.Sample;
import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.Troubles;
import io.github.lucenedirectories.testkit.durability.Troubles.Operation;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockObtainFailedException;
import org.apache.lucene.store.SingleInstanceLockFactory;
import org.apache.lucene.util.IORunnable;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.ThreadInterruptedException;

/**
 * A journal whose device or whose folders fail, that is full, is interrupted or is closed too
 * early: no acknowledged commit is lost, and work goes on. And how often it writes.
 */
public class JournalFailureTest extends JournalTestCase {

  private static final List<Trouble> FAILURES =
      List.of(Trouble.ERROR, Trouble.SHORT_WRITE, Trouble.DONE);

  private static final List<Trouble> FOLDER_FAILURES =
      List.of(Trouble.ERROR, Trouble.LOST_PAGES, Trouble.DONE);

  /** Of so many moments in a row one is tested. */
  private static final int SPARSE = Sample.ALL ? 1 : 4;

  /** A thread that was seen waiting so often waits for good. */
  private static final long WRITE_NANOS = 5_000_000;

  /** Two indexes on devices that fail for a while. */
  private final class History {
    private final Random random;
    private final JournalWorld world;
    private final List<JournalWorkload> workloads;

    History(long seed) {
      random = new Random(seed);
      world = new JournalWorld(path(), 2, seed);
      workloads =
          IntStream.range(0, 2)
              .mapToObj(_ -> new JournalWorkload(random.nextLong(), 1 << random.nextInt(8, 13)))
              .toList();
    }

    void run(IORunnable plant) throws IOException {
      List<Directory> directories = new ArrayList<>();
      try (CommitJournal journal = world.open(RING_BYTES)) {
        try {
          for (int i = 0; i < workloads.size(); i++) {
            directories.add(open(world, i, journal));
            workloads.get(i).attach(directories.get(i));
            workloads.get(i).commitOne();
          }
          plant.run();
          for (int steps = 40; steps > 0; steps--) {
            JournalWorkload workload = workloads.get(random.nextInt(workloads.size()));
            try {
              workload.step();
              if (random.nextInt(8) == 0) {
                journal.checkpoint();
              }
            } catch (IOException | IllegalStateException _) {
              ignoringFailures(workload::giveUp);
            }
            if (random.nextInt(10) == 0) {
              recover(world.cut());
            }
          }
          recover(world.cut());
          heal();
          for (JournalWorkload workload : workloads) {
            workload.commitOne();
            workload.commitOne();
          }
          recover(world.cut());
          journal.checkpoint();
          for (int i = 0; i < workloads.size(); i++) {
            long last = workloads.get(i).expected().least();
            assertEquals(last, check(i, world.disk(i).afterPowerCut(random), false));
            workloads.get(i).commitOne();
            workloads.get(i).close();
          }
          IOUtils.close(directories);
          directories.clear();
        } finally {
          heal();
          IOUtils.close(directories);
        }
      }
      recover(world.cut());
    }

    private void heal() {
      world.troubles = () -> Trouble.NONE;
      for (int i = 0; i < workloads.size(); i++) {
        world.disk(i).with(Troubles.NONE);
        ignoringFailures(workloads.get(i)::giveUp);
      }
    }

    private long check(int index, Directory found, boolean deeply) throws IOException {
      JournalWorkload workload = workloads.get(index);
      return workload.check(found, workload.expected(), deeply);
    }

    private void recover(Found found) throws IOException {
      JournalWorld then = new JournalWorld(path(), found, random.nextLong());
      try (CommitJournal journal = then.open(RING_BYTES)) {
        for (int i = 0; i < workloads.size(); i++) {
          try (Directory directory = open(then, i, journal)) {
            check(i, directory, true);
          }
          check(i, then.disk(i).afterPowerCut(random), false);
        }
      }
    }
  }

  /** Each write to the journal fails in turn: it alone, or all from then on. */
  public void testEachWriteFails() throws IOException {
    for (Trouble trouble : FAILURES) {
      for (int failing = 0; failing < 20; failing += random().nextInt(1, 2 * SPARSE)) {
        boolean once = random().nextBoolean();
        int first = failing;
        IntPredicate fails = write -> once ? write == first : write >= first;
        long seed = random().nextLong();
        History history = new History(seed);
        AtomicInteger writes = new AtomicInteger();
        try {
          history.run(
              () ->
                  history.world.troubles =
                      () -> fails.test(writes.getAndIncrement()) ? trouble : Trouble.NONE);
        } catch (IOException | AssertionError e) {
          throw new AssertionError(trouble + " at write " + first + ", once=" + once, e);
        }
      }
    }
  }

  /** A folder may refuse to be synced, but does not lose a rename that it shows. */
  private static Troubles keepingRenames(Troubles troubles) {
    return (operation, name, bytes) -> {
      Trouble trouble = troubles.at(operation, name, bytes);
      boolean loses = trouble == Trouble.LOST_PAGES && operation == Operation.SYNC_META_DATA;
      return loses ? Trouble.ERROR : trouble;
    };
  }

  private static Troubles troubles(long seed, int oneIn) {
    Random random = new Random(seed);
    return (_, _, _) ->
        random.nextInt(oneIn) == 0
            ? FOLDER_FAILURES.get(random.nextInt(FOLDER_FAILURES.size()))
            : Trouble.NONE;
  }

  /** Each call of a folder fails in turn, or now and then, or the disk is full for a while. */
  public void testFoldersFail() throws IOException {
    for (int round = atLeast(120 / SPARSE); round > 0; round--) {
      long seed = random().nextLong();
      Random random = new Random(seed);
      History history = new History(seed);
      int kind = round % 3;
      int at = random.nextInt(200);
      Trouble trouble = FOLDER_FAILURES.get(random.nextInt(FOLDER_FAILURES.size()));
      try {
        history.run(
            () -> {
              for (int i = 0; i < 2; i++) {
                AtomicInteger calls = new AtomicInteger();
                CrashingBacking disk = history.world.disk(i);
                long capacity = disk.bytes() + random.nextInt(20_000);
                disk.with(
                    keepingRenames(
                        switch (kind) {
                          case 0 -> troubles(random.nextLong(), 1 << random.nextInt(3, 8));
                          case 1 ->
                              (_, _, _) -> calls.getAndIncrement() == at ? trouble : Trouble.NONE;
                          default ->
                              (_, _, bytes) ->
                                  bytes > 0 && disk.bytes() + bytes > capacity
                                      ? Trouble.ERROR
                                      : Trouble.NONE;
                        }));
              }
            });
      } catch (IOException | AssertionError e) {
        throw new AssertionError("kind=" + kind + ", " + trouble + " at " + at, e);
      }
    }
  }

  /** Each call of the folder fails in turn while commits are brought into it. */
  public void testEachCallOfRecoveryFails() throws IOException {
    long seed = random().nextLong();
    JournalWorkload workload = new JournalWorkload(seed, 1_000);
    JournalWorld world = new JournalWorld(path(), 1, seed);
    Found found;
    Expected expected;
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = open(world, 0, journal)) {
      workload.attach(directory);
      for (int i = 0; i < 6; i++) {
        workload.commitOne();
      }
      journal.checkpoint();
      for (int i = 0; i < 6; i++) {
        workload.commitOne();
      }
      expected = workload.expected();
      found = world.cut();
      workload.close();
    }
    for (Trouble trouble : FOLDER_FAILURES) {
      boolean met = true;
      for (int at = 0; met; at += random().nextInt(1, 4 * SPARSE)) {
        CrashingBacking disk = found.disks().getFirst().afterPowerCut(random());
        JournalWorld then =
            new JournalWorld(path(), new Found(List.of(disk), found.journal()), seed);
        AtomicInteger calls = new AtomicInteger();
        int failing = at;
        try (CommitJournal journal = then.open(RING_BYTES)) {
          disk.with(
              keepingRenames(
                  (_, _, _) -> calls.getAndIncrement() == failing ? trouble : Trouble.NONE));
          ignoringFailures(
              () -> {
                try (Directory _ = open(then, 0, journal)) {
                  workload.check(disk, Expected.NOTHING, false);
                }
              });
          met = calls.get() > failing;
          disk.with(Troubles.NONE);
          try (Directory directory = open(afterCut(then))) {
            workload.check(directory, expected, false);
          }
          try (Directory directory = open(then, 0, journal)) {
            workload.check(directory, expected, true);
            workload.check(disk.afterPowerCut(random()), expected, false);
          }
          workload.check(disk.afterPowerCut(random()), expected, false);
        } catch (IOException | AssertionError e) {
          throw new AssertionError(trouble + " at call " + at + " of recovery", e);
        }
      }
    }
  }

  /** Copies that a sync has lost and that could not be deleted are made again. */
  public void testLostCopiesStay() throws IOException {
    JournalWorkload workload = new JournalWorkload(random().nextLong(), 1_000);
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    CrashingBacking disk = world.disk(0);
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = open(world, 0, journal)) {
      workload.attach(directory);
      workload.commitOne();
      disk.with(
          (operation, _, _) ->
              switch (operation) {
                case SYNC -> Trouble.LOST_PAGES;
                case DELETE -> Trouble.ERROR;
                default -> Trouble.NONE;
              });
      expectThrows(IOException.class, journal::checkpoint);
      disk.with(Troubles.NONE);
      if (random().nextBoolean()) {
        journal.checkpoint();
      } else {
        // The process was killed, and the page cache is still there.
        Found found = new Found(List.of(disk), world.cut().journal());
        open(new JournalWorld(path(), found, random().nextLong())).close();
      }
      // A lost file may be found whole.
      for (int cut = 0; cut < 10; cut++) {
        workload.check(disk.afterPowerCut(random()), workload.expected(), cut == 0);
      }
      workload.close();
    }
  }

  /** One folder cannot be written to for long: the other indexes are not held up. */
  public void testFullBecauseOfAnotherIndex() throws Exception {
    JournalWorld world = new JournalWorld(path(), 2, random().nextLong());
    JournalWorkload stuck = new JournalWorkload(random().nextLong(), 100);
    JournalWorkload other = new JournalWorkload(random().nextLong(), 10_000);
    SteppedDirectory folder = new SteppedDirectory(world.folder(0));
    CountDownLatch writable = new CountDownLatch(1);
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory first = new NrtCacheDirectory(folder, 1, 4, journal);
        Directory second = open(world, 1, journal)) {
      stuck.attach(first);
      other.attach(second);
      folder.beforeSync =
          () -> {
            try {
              writable.await();
            } catch (InterruptedException e) {
              throw new ThreadInterruptedException(e);
            }
          };
      try {
        stuck.commitOne();
        FutureTask<Void> commits =
            begin(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    other.commitOne();
                  }
                });
        commits.get(60, TimeUnit.SECONDS);
        int writes = world.written().size();
        other.check(world.disk(1).afterPowerCut(random()), other.expected(), true);
        assertTrue("never full", writes < 100);
      } finally {
        writable.countDown();
      }
      journal.checkpoint();
      int writes = world.written().size();
      stuck.commitOne();
      other.commitOne();
      assertEquals("not used again", 2, world.written().size() - writes);
      stuck.close();
      other.close();
    }
  }

  public void testClosingOrder() throws IOException {
    Path path = path();
    CrashingBacking folder = new CrashingBacking();
    CommitJournal journal = CommitJournal.open(path, RING_BYTES);
    NrtCacheDirectory directory = new NrtCacheDirectory(folder, journal);
    expectThrows(IllegalStateException.class, journal::close);
    expectThrows(IllegalStateException.class, () -> new NrtCacheDirectory(folder, journal));
    expectThrows(LockObtainFailedException.class, () -> CommitJournal.open(path));
    writer(directory).close();
    for (Closeable closed : List.of(directory, directory, journal, journal)) {
      closed.close();
    }
    expectThrows(AlreadyClosedException.class, () -> new NrtCacheDirectory(folder, journal));
    CommitJournal.open(path).close();
    expectThrows(IllegalArgumentException.class, () -> CommitJournal.open(path, 1 << 17));
    expectThrows(IllegalArgumentException.class, () -> CommitJournal.open(path, (1 << 18) + 1));
    assertTrue(DirectoryReader.indexExists(folder.afterPowerCut(random())));
  }

  /** One write to the journal for each commit, and nothing else. */
  public void testOneWritePerCommit() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (CommitJournal journal = world.open(1 << 22);
        Directory directory = open(world, 0, journal);
        IndexWriter writer = writer(directory)) {
      List<String> before = world.disk(0).log();
      for (int i = 0; i < 40; i++) {
        writer.addDocument(document(i));
        if (random().nextBoolean()) {
          writer.prepareCommit();
        }
        int writes = world.written().size();
        assertEquals(i, writes);
        writer.commit();
        assertEquals(i + 1, world.written().size());
        if (random().nextInt(4) == 0) {
          DirectoryReader.open(writer).close();
        }
      }
      assertEquals(before, world.disk(0).log());
      assertEquals(40, metric(journal, "journal.writes"));
    }
    assertEquals(40, numDocs(world.disk(0)));
  }

  /** Commits during a write go into the next one together, or to the folder if that fails. */
  public void testCommitsShareWrites() throws Exception {
    assertEquals(2, commitDuringWrite(Trouble.NONE, 1 << 22, 0));
    assertEquals(2, commitDuringWrite(Trouble.ERROR, 1 << 22, 0));
  }

  /** What does not go into the next write goes into the one after it. */
  public void testCommitsOutgrowWrite() throws Exception {
    for (int i = 0; i < 6; i++) {
      // A quarter of such a ring need not be whole blocks.
      long ringBytes = RING_BYTES + random().nextInt(8) * 4_096L;
      int writes = commitDuringWrite(Trouble.NONE, ringBytes, random().nextInt(4_000, 6_000));
      assertTrue("writes=" + writes, writes > 2);
    }
  }

  /** Commits to many indexes during the first write; returns how many writes there were. */
  private int commitDuringWrite(Trouble later, long ringBytes, int documentBytes) throws Exception {
    int count = 16;
    int writes;
    JournalWorld world = new JournalWorld(path(), count, random().nextLong());
    List<Directory> directories = new ArrayList<>();
    List<IndexWriter> writers = new ArrayList<>();
    try (CommitJournal journal = world.open(ringBytes)) {
      try {
        for (int i = 0; i < count; i++) {
          directories.add(open(world, i, journal));
          writers.add(writer(directories.getLast()));
          writers.getLast().addDocument(document(i, documentBytes));
        }
        List<Thread> threads = new ArrayList<>();
        AtomicInteger acknowledged = new AtomicInteger();
        for (IndexWriter writer : writers) {
          threads.add(
              new Thread(
                  () -> {
                    try {
                      writer.commit();
                      acknowledged.getAndIncrement();
                    } catch (IOException e) {
                      throw new UncheckedIOException(e);
                    }
                  }));
        }
        int before = world.written().size();
        world.duringWrite =
            () -> {
              // So that the others wait for the next write, too.
              world.duringWrite = () -> LockSupport.parkNanos(WRITE_NANOS);
              Thread own = Thread.currentThread();
              await(() -> threads.stream().allMatch(each -> each == own || isQueued(each)));
              assertEquals("acknowledged too early", 0, acknowledged.get());
              world.troubles = () -> later;
            };
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
          thread.join();
        }
        assertEquals(count, acknowledged.get());
        writes = world.written().size() - before;
        checkAfterCut(world, count, 1);
        assertEquals(later == Trouble.NONE ? 0 : 1, metric(journal, "journal.failed"));
      } finally {
        IOUtils.close(writers);
        IOUtils.close(directories);
      }
    }
    for (int i = 0; i < count; i++) {
      assertEquals(1, numDocs(world.disk(i)));
    }
    return writes;
  }

  /**
   * A cut at any step of an opening, a commit, a checkpoint and a close, also of those after a
   * write to the journal that failed.
   */
  public void testCutAtEachStep() throws IOException {
    for (int failing = 0; failing < 5; failing++) {
      cutAtEachStep(failing);
    }
  }

  private void cutAtEachStep(int failing) throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    List<Found> cuts = new ArrayList<>();
    List<Integer> acknowledged = new ArrayList<>();
    AtomicInteger commits = new AtomicInteger();
    try (CommitJournal journal = world.open(RING_BYTES)) {
      world.troubles = () -> world.written().size() == failing ? Trouble.ERROR : Trouble.NONE;
      world.watcher =
          _ -> {
            cuts.add(world.cut());
            acknowledged.add(commits.get());
          };
      for (int life = 0; life < 2; life++) {
        try (Directory directory = open(world, 0, journal);
            IndexWriter writer = writer(directory)) {
          for (int i = 0; i < 2; i++) {
            // The longer one goes to the folder.
            commit(writer, document(i, random().nextBoolean() ? 30_000 : 0));
            commits.getAndIncrement();
            journal.checkpoint();
          }
        }
      }
      world.watcher = _ -> {};
    }
    assertEquals(4, commits.get());
    for (int i = 0; i < cuts.size(); i++) {
      JournalWorld then = new JournalWorld(path(), cuts.get(i), random().nextLong());
      try (Directory directory = open(then)) {
        int found = numDocs(directory);
        int least = acknowledged.get(i);
        assertTrue(
            "found=" + found + ", acknowledged=" + least, found == least || found == least + 1);
      }
    }
  }

  /** A commit whose deletion could not be made durable keeps its files. */
  public void testDeletionOfCommitFails() throws IOException {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = open(world, 0, journal);
        IndexWriter writer = writer(directory)) {
      commit(writer, document(0));
      journal.checkpoint();
      writer.deleteAll();
      commit(writer, document(1));
      AtomicBoolean deleted = new AtomicBoolean();
      world
          .disk(0)
          .with(
              (operation, name, _) -> {
                boolean fails = operation == Operation.SYNC_META_DATA && deleted.get();
                deleted.compareAndSet(false, operation == Operation.DELETE && isCommit(name));
                return fails ? Trouble.ERROR : Trouble.NONE;
              });
      expectThrows(IOException.class, journal::checkpoint);
      assertTrue(deleted.get());
      world.disk(0).with(Troubles.NONE);
      journal.checkpoint();
      for (int i = 0; i < 50; i++) {
        Directory found = world.disk(0).afterPowerCut(random());
        for (IndexCommit commit : DirectoryReader.listCommits(found)) {
          DirectoryReader.open(commit).close();
        }
      }
    }
  }

  /** Whether a thread waits for a write that others make, and its record for the next one. */
  private static boolean isQueued(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("isDurable"));
  }

  /** An error that is no IOException ends the journal too, and keeps no one waiting. */
  public void testUncheckedError() throws Exception {
    JournalWorld world = new JournalWorld(path(), 1, random().nextLong());
    world.duringWrite =
        () -> {
          throw new IllegalStateException("planted");
        };
    try (CommitJournal journal = world.open(RING_BYTES);
        Directory directory = open(world, 0, journal)) {
      FutureTask<Void> task =
          begin(
              () -> {
                addOne(directory);
                addOne(directory);
              });
      task.get(1, TimeUnit.MINUTES);
      assertEquals(2, numDocs(directory));
      assertEquals(1, metric(journal, "journal.failed"));
    }
  }

  /** Interrupts of committing threads harm neither their commits nor the journal. */
  public void testInterrupts() throws Exception {
    // Lucene's own lock of a file does not stand them.
    NioDirectory folder =
        NioDirectory.builder(createTempDir()).lockFactory(new SingleInstanceLockFactory()).build();
    try (CommitJournal journal = CommitJournal.open(path(), RING_BYTES)) {
      try (Directory directory = new NrtCacheDirectory(folder, journal)) {
        write(directory, "_0.dat", randomBytes(100));
        write(directory, "pending_segments_1", randomBytes(100));
        Thread.currentThread().interrupt();
        directory.sync(List.of("_0.dat", "pending_segments_1"));
        directory.rename("pending_segments_1", "segments_1");
        directory.syncMetaData();
        journal.checkpoint();
        assertTrue(Thread.interrupted());
        directory.deleteFile("segments_1");
        directory.deleteFile("_0.dat");
        FutureTask<Integer> task = new FutureTask<>(() -> commits(directory));
        Thread thread = new Thread(task);
        thread.start();
        while (!task.isDone()) {
          TimeUnit.MICROSECONDS.sleep(random().nextInt(2_000));
          thread.interrupt();
        }
        assertEquals((int) task.get(), numDocs(directory));
      }
      assertEquals(0, metric(journal, "journal.failed"));
    }
  }

  /** Returns how many documents were added. */
  private static int commits(Directory directory) throws IOException {
    int added = 0;
    for (int i = 0; i < 100; i++) {
      try (IndexWriter writer = writer(directory)) {
        // What Lucene itself throws is tried again.
        commit(writer, document(i));
        added++;
      } catch (ThreadInterruptedException _) {
        added = numDocs(directory);
      }
    }
    return added;
  }
}
