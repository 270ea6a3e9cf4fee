// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.ram;

import io.github.lucenedirectories.nio.NioDirectory;
import io.github.lucenedirectories.testkit.SystemCallTrace;
import io.github.lucenedirectories.testkit.durability.JavaCommand;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.IOUtils;

/** The ring of a journal against a list of records: full, going round, and with the power cut. */
public class JournalFileTest extends JournalTestCase {

  private static final int BLOCK_BYTES = 1 << 12;

  /** The records of one index. Changed by one thread, and looked at by those that cut the power. */
  private static final class Index {
    final UUID id = UUID.randomUUID();
    private final List<String> begun = Collections.synchronizedList(new ArrayList<>());
    private volatile int acknowledged;
    private volatile int settled;
    private volatile long position;

    /** Returns whether there was room. */
    boolean append(JournalFile file, String text) throws IOException {
      byte[] record = JournalRecord.encode(id, "", text, Set.of(), new LinkedHashMap<>());
      begun.add(text);
      // Half of them do not ask: then append has to refuse what does not fit.
      if (begun.size() % 2 == 0 && !file.hasRoom(record.length)) {
        begun.removeLast();
        return false;
      }
      try {
        file.append(record, id, "");
      } catch (IOException e) {
        if (!e.toString().contains(": full: ")) {
          throw e;
        }
        begun.removeLast();
        return false;
      }
      acknowledged = begun.size();
      return true;
    }

    void settle(JournalFile file) {
      synchronized (this) {
        position = file.head();
        settled = acknowledged;
      }
      file.settle(id, position);
    }

    /** Compares, and takes what was found for acknowledged if this goes on with it. */
    void check(JournalFile file, boolean goesOn) throws IOException {
      int least;
      List<String> all;
      int first;
      long from;
      // Another thread may append and settle meanwhile.
      synchronized (this) {
        least = acknowledged;
        all = List.copyOf(begun);
        first = settled;
        from = position;
      }
      file.settle(id, from);
      List<String> found;
      try (IndexInput input = file.input()) {
        found = file.records(input, id).stream().map(JournalRecord::previous).toList();
      }
      int most = all.size();
      int end = first + found.size();
      assertTrue("found " + end + " of " + least + " to " + most, least <= end && end <= most);
      assertEquals(all.subList(first, end), found);
      assertEquals(!found.isEmpty(), file.isNeededBy(id));
      if (goesOn) {
        begun.subList(end, most).clear();
        acknowledged = end;
      }
    }
  }

  public void testRing() throws Exception {
    for (int i = atLeast(12); i > 0; i--) {
      new History(new Random(random().nextLong())).run();
    }
  }

  private final class History {
    private final Path path = path();
    private final Random random;
    private final long ringBytes;
    private final int mostBytes;
    private final List<List<Index>> indexes = new ArrayList<>();
    private JournalWorld world;

    History(Random random) {
      this.random = random;
      ringBytes = BLOCK_BYTES * (64L + random.nextInt(20));
      // Large ones leave much of the end of a lap free.
      mostBytes = 1 << (random.nextBoolean() ? 17 : random.nextInt(6, 17));
      int threads = random.nextInt(1, 6);
      for (int i = 0; i < threads; i++) {
        indexes.add(IntStream.range(0, 3).mapToObj(_ -> new Index()).toList());
      }
      world = new JournalWorld(path, 0, random.nextLong());
    }

    void run() throws Exception {
      for (int lives = random.nextInt(1, 5); lives > 0; lives--) {
        long nanos = random.nextBoolean() ? random.nextInt(500_000) : 0;
        world.duringWrite = () -> LockSupport.parkNanos(nanos);
        try (CommitJournal journal = world.open(ringBytes)) {
          JournalFile file = journal.file();
          check(file, true);
          Random looks = new Random(random.nextLong());
          world.watcher =
              _ -> {
                if (looks.nextInt(8) == 0) {
                  cut(looks);
                }
              };
          List<FutureTask<Void>> tasks = new ArrayList<>();
          for (List<Index> own : indexes) {
            Random steps = new Random(random.nextLong());
            tasks.add(begin(() -> work(file, own, steps)));
          }
          for (FutureTask<Void> task : tasks) {
            task.get();
          }
          world.watcher = _ -> {};
          check(file, false);
          if (random.nextBoolean()) {
            indexes.forEach(own -> own.forEach(index -> index.settle(file)));
            assertTrue(file.toString(), file.hasRoom(file.maxRecordBytes()));
          }
        }
        world = new JournalWorld(path, world.cut(), random.nextLong());
      }
      IOUtils.rm(path);
    }

    private void work(JournalFile file, List<Index> own, Random steps) throws IOException {
      // What the first needs fills the ring.
      int first = steps.nextBoolean() ? 1 : 0;
      own.getFirst().append(file, "first");
      for (int i = 0; i < 150; i++) {
        Index index = own.get(steps.nextInt(first, own.size()));
        int mostBytes = Math.min(this.mostBytes, file.maxRecordBytes() - 100);
        int bytes = steps.nextInt(mostBytes / 2, mostBytes);
        String text = i + TestUtil.randomSimpleString(steps, bytes, bytes);
        if (!index.append(file, text) || steps.nextInt(8) == 0) {
          own.subList(first, own.size()).forEach(other -> other.settle(file));
        }
        if (steps.nextInt(16) == 0) {
          index.check(file, false);
        }
      }
    }

    /** What would be found if the power was cut now. */
    private void cut(Random looks) {
      try {
        Path copy = path();
        JournalWorld then = new JournalWorld(copy, world.cut(), looks.nextLong());
        try (CommitJournal journal = then.open(ringBytes)) {
          check(journal.file(), false);
        }
        IOUtils.rm(copy);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private void check(JournalFile file, boolean goesOn) throws IOException {
      for (List<Index> own : indexes) {
        for (Index index : own) {
          index.check(file, goesOn);
        }
      }
    }
  }

  /** A link that is older than the first record of its index brings nothing back. */
  public void testOldLink() throws IOException {
    Path path = path();
    JournalWorld world = new JournalWorld(path, 0, random().nextLong());
    Index busy = new Index();
    Index late = new Index();
    for (int life = 0; life < 3; life++) {
      try (CommitJournal journal = world.open(RING_BYTES)) {
        late.check(journal.file(), true);
        for (long i = life == 0 ? RING_BYTES / BLOCK_BYTES : 1; i > 0; i--) {
          busy.append(journal.file(), "busy");
          busy.settle(journal.file());
        }
        assertTrue(late.append(journal.file(), "late"));
      }
      world = new JournalWorld(path, world.cut(), random().nextLong());
    }
  }

  /** After a write that failed nothing has room. */
  public void testFailedWrite() throws IOException {
    JournalWorld world = new JournalWorld(path(), 0, random().nextLong());
    try (CommitJournal journal = world.open(RING_BYTES)) {
      assertTrue(journal.file().hasRoom(1));
      world.troubles = () -> Trouble.ERROR;
      UUID id = UUID.randomUUID();
      expectThrows(IOException.class, () -> journal.file().append(new byte[1], id, ""));
      world.troubles = () -> Trouble.NONE;
      assertFalse(journal.file().hasRoom(1));
    }
  }

  /** Positions go on beyond what an int holds. */
  public void testLargePositions() throws IOException {
    Path path = path();
    CommitJournal.open(path, RING_BYTES).close();
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
    // An empty batch: checksum, length, journal, its position, that before it, the tail.
    bytes.position(BLOCK_BYTES).putInt(0).putInt(0);
    bytes.putLong(bytes.getLong(Long.BYTES)).putLong(bytes.getLong(2 * Long.BYTES));
    long position = ((1L << 31) / RING_BYTES + 1) * RING_BYTES;
    bytes.putLong(position).putLong(position).putLong(position);
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.duplicate().flip().position(BLOCK_BYTES + Integer.BYTES));
    Files.write(path, bytes.putInt(BLOCK_BYTES, (int) checksum.getValue()).array());
    Index index = new Index();
    try (CommitJournal journal = CommitJournal.open(path)) {
      assertEquals(position + BLOCK_BYTES, journal.file().head());
      assertTrue(index.append(journal.file(), "a"));
    }
    try (CommitJournal journal = CommitJournal.open(path)) {
      index.check(journal.file(), false);
    }
  }

  /** Syncs a new journal before its name, and opens it for synchronous writes. */
  public void testSystemCalls() throws Exception {
    Path folder = createTempDir().toRealPath();
    assumeTrue("no strace here", SystemCallTrace.works(folder, "how a journal is opened"));
    Path path = folder.resolve("commits.journal");
    List<String> calls =
        SystemCallTrace.of(folder, JavaCommand.of(List.of(), Program.class, path.toString()));
    List<String> opened =
        calls.stream()
            .filter(line -> line.contains(path + "\"") && line.matches(".*O_(WRONLY|RDWR).*"))
            .toList();
    assertFalse(opened.isEmpty());
    assertTrue(opened.toString(), opened.stream().allMatch(line -> line.contains("O_DSYNC")));
    String order =
        calls.stream()
            .filter(line -> line.matches(".* (rename|fsync).*"))
            .map(
                line ->
                    line.contains("rename")
                        ? "named "
                        : line.contains(path + ".new>")
                            ? "filled "
                            : line.contains(folder + ">") ? "synced " : "")
            .collect(Collectors.joining());
    assertTrue(order, order.contains("filled named synced"));
  }

  /** A journal that is closed has no file open, also one that the library opens natively. */
  public void testDescriptors() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue("no /proc", Files.isDirectory(descriptors));
    Path path = createTempDir().toRealPath().resolve("commits.journal");
    CommitJournal.open(path, RING_BYTES).close();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(descriptors)) {
      for (Path each : all) {
        if (Files.isSymbolicLink(each)) {
          assertNotEquals(path.toString(), Files.readSymbolicLink(each).toString());
        }
      }
    }
  }

  /** Records that wait for a write need room, too. */
  public void testRoomOfWaitingRecords() throws Exception {
    JournalWorld world = new JournalWorld(path(), 0, random().nextLong());
    try (CommitJournal journal = world.open(RING_BYTES)) {
      JournalFile file = journal.file();
      FutureTask<Boolean> second = new FutureTask<>(() -> append(file));
      Thread thread = new Thread(second);
      long blocks = RING_BYTES / BLOCK_BYTES * 3 / 4 - 1;
      while (--blocks > 0) {
        append(file);
      }
      world.duringWrite =
          () -> {
            world.duringWrite = () -> {};
            assertTrue(file.hasRoom(1));
            startAndAwait(thread);
            assertFalse(file.hasRoom(1));
          };
      append(file);
      second.get();
    }
  }

  /** A thread that is interrupted while it waits for another one's write is so afterwards, too. */
  public void testInterruptedWhileWaiting() throws Exception {
    JournalWorld world = new JournalWorld(path(), 0, random().nextLong());
    try (CommitJournal journal = world.open(RING_BYTES)) {
      FutureTask<Boolean> second = new FutureTask<>(() -> append(journal.file()));
      Thread thread = new Thread(second);
      world.duringWrite =
          () -> {
            world.duringWrite = () -> {};
            startAndAwait(thread);
            thread.interrupt();
            // It has noticed, and waits again.
            while (thread.isInterrupted() || thread.getState() != Thread.State.WAITING) {
              Thread.onSpinWait();
            }
          };
      assertFalse(append(journal.file()));
      assertTrue(second.get());
    }
  }

  /** Appends a record of one block; returns whether the thread was interrupted. */
  private static boolean append(JournalFile file) throws IOException {
    file.append(new byte[1], UUID.randomUUID(), "");
    return Thread.interrupted();
  }

  /** Opens a journal. Argument: its path. */
  public static final class Program {
    private Program() {}

    /** Runs it. */
    public static void main(String[] args) throws IOException {
      CommitJournal.open(Path.of(args[0])).close();
    }
  }

  /** A journal whose lock was taken from it is not written to. */
  public void testReplacedLock() throws Exception {
    Path path = path();
    Path lock = path.resolveSibling(path.getFileName() + ".lock");
    try (CommitJournal journal = CommitJournal.open(path, RING_BYTES);
        Directory directory = new NrtCacheDirectory(new NioDirectory(createTempDir()), journal)) {
      addOne(directory);
      byte[] before = Files.readAllBytes(path);
      Files.delete(lock);
      // Else the new file may seem as old.
      Thread.sleep(20);
      Files.createFile(lock);
      addOne(directory);
      assertArrayEquals(before, Files.readAllBytes(path));
      assertEquals(2, numDocs(directory));
      assertEquals(1, metric(journal, "journal.failed"));
    }
  }
}
