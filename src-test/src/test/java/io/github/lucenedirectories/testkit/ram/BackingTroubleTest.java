package io.github.lucenedirectories.testkit.ram;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.CommitRun;
import io.github.lucenedirectories.testkit.durability.CrashingBacking;
import io.github.lucenedirectories.testkit.durability.DiskOperation;
import io.github.lucenedirectories.testkit.durability.DurableRun;
import io.github.lucenedirectories.testkit.durability.TroubleOnce;
import io.github.lucenedirectories.testkit.durability.Troubles;
import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.lucene.store.Directory;

/**
 * A backing with troubles: failing operations, a full disk, writes that fall short, a sync that
 * loses its pages. The caller is told, and no acknowledged commit is lost.
 */
public class BackingTroubleTest extends LibraryTestCase {

  private static final int TRIES = 12;

  /** Each kind of operation fails once, at some place. Deletions may be made up for silently. */
  public void testErrorIsReported() throws IOException {
    for (DiskOperation operation : DiskOperation.values()) {
      int struck = 0;
      int among = 12;
      for (int i = 0; i < TRIES; i++) {
        int number = random().nextInt(among);
        TroubleOnce error = new TroubleOnce(number, Trouble.ERROR);
        CommitRun run =
            DurableRun.troubleOnce(
                error.only(Set.of(operation)), Backed.AT_SYNC.opener(), random().nextLong());
        if (error.asked() > number) {
          struck++;
          boolean told = !run.failures().isEmpty();
          assertTrue("not reported: " + operation, told || operation == DiskOperation.DELETE);
        } else {
          // Some kinds of operation are rare: of the next run an earlier one fails.
          among = Math.max(1, error.asked());
        }
      }
      assertTrue("never struck: " + operation, struck > 0);
    }
  }

  public void testShortWrite() throws IOException {
    once(DiskOperation.WRITE, Trouble.SHORT_WRITE);
  }

  public void testSyncThatLosesPages() throws IOException {
    once(DiskOperation.SYNC, Trouble.LOST_PAGES);
  }

  private static void once(DiskOperation operation, Trouble trouble) throws IOException {
    for (Backed backed : Backed.values()) {
      for (int i = 0; i < TRIES; i++) {
        TroubleOnce once = new TroubleOnce(random().nextInt(20), trouble);
        DurableRun.troubleOnce(once.only(Set.of(operation)), backed.opener(), random().nextLong());
      }
    }
  }

  public void testRandomTroubles() throws IOException {
    for (Backed backed : Backed.values()) {
      for (int i = atLeast(4); i > 0; i--) {
        Troubles troubles = Troubles.random(random().nextLong(), 1 << random().nextInt(3, 8));
        DurableRun.troubles(troubles, backed.opener(), random().nextLong());
      }
    }
  }

  /** The disk is full; what was committed stays, and when there is room again work goes on. */
  public void testFullDisk() throws IOException {
    for (Backed backed : Backed.values()) {
      CrashingBacking disk = new CrashingBacking();
      CommitRun run = new CommitRun(random().nextLong());
      try (Directory directory = backed.open(disk)) {
        assertTrue(run.commit(directory, 3));
        for (int i = 0; i < 5; i++) {
          long capacity = disk.bytes() + random().nextInt(20_000);
          disk.with(
              (operation, name, bytes) ->
                  bytes > 0 && disk.bytes() + bytes > capacity ? Trouble.ERROR : Trouble.NONE);
          int before = run.failures().size();
          assertFalse(run.commit(directory, 100));
          assertTrue(run.failures().size() > before);
          run.check(disk.afterPowerCut(random()));
          disk.with(Troubles.NONE);
          assertTrue(run.failures().toString(), run.commit(directory, 1));
          run.check(disk.afterPowerCut(random()));
        }
      }
    }
  }

  /** A sync that failed is not repeated: the files are deleted and written again. */
  public void testWrittenAnewAfterFailedSync() throws IOException {
    for (Backed backed : Backed.values()) {
      for (int failing = 0; failing < 4; failing++) {
        CrashingBacking disk = new CrashingBacking();
        try (Directory directory = backed.open(disk)) {
          // Before anything is written: the writing behind syncs at once.
          TroubleOnce lost = new TroubleOnce(failing, Trouble.LOST_PAGES);
          disk.with(lost.only(Set.of(DiskOperation.SYNC)));
          Map<String, byte[]> files = new TreeMap<>();
          for (int i = 0; i < 4; i++) {
            files.put("_" + i + ".dat", randomBytes(1 + random().nextInt(5_000)));
          }
          for (Map.Entry<String, byte[]> file : files.entrySet()) {
            write(directory, file.getKey(), file.getValue());
          }
          try {
            directory.sync(files.keySet());
            assertEquals("not reported", Backed.WRITE_BEHIND, backed);
          } catch (IOException e) {
            directory.sync(files.keySet());
          }
          checkWrittenAnew(disk.log());
          directory.syncMetaData();
          Directory found = disk.afterPowerCut(random());
          for (Map.Entry<String, byte[]> file : files.entrySet()) {
            assertArrayEquals(file.getValue(), read(found, file.getKey()));
          }
        }
      }
    }
  }

  /** After the sync that failed the file was created again before it was synced again. */
  private static void checkWrittenAnew(List<String> log) {
    int failed = 0;
    while (!log.get(failed).endsWith("!")) {
      failed++;
    }
    String name = log.get(failed).substring("SYNC ".length()).replace("!", "");
    List<String> later = log.subList(failed + 1, log.size());
    int created = later.indexOf("CREATE " + name);
    assertTrue(log.toString(), created >= 0 && created < later.indexOf("SYNC " + name));
  }
}
