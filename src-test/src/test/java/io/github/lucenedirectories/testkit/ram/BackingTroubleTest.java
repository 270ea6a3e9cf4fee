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
import java.util.Set;
import org.apache.lucene.store.Directory;

/**
 * Commits through {@code RamDirectory} to a disk with troubles: failing operations, a full disk,
 * writes that fall short, a sync that loses its pages, a power cut. The caller sees an error, and
 * no acknowledged commit is lost.
 */
public class BackingTroubleTest extends LibraryTestCase {

  private static final int TRIES = 12;

  /** What would be found, looked at before each operation. */
  public void testPowerCutBeforeEachOperation() throws IOException {
    for (Backed backed : Backed.values()) {
      int operations = DurableRun.lookAtEachOperation(backed::open, random().nextLong());
      assertTrue("operations=" + operations, operations > 50);
    }
  }

  /** The power goes, and a new directory goes on with what is found. */
  public void testGoOnAfterPowerCut() throws IOException {
    for (int i = atLeast(12); i > 0; i--) {
      Backed backed = random().nextBoolean() ? Backed.AT_SYNC : Backed.WRITE_BEHIND;
      DurableRun.cutPowerAt(random().nextInt(400), backed::open, random().nextLong());
    }
  }

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
                error.only(Set.of(operation)), Backed.AT_SYNC::open, random().nextLong());
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

  public void testRandomTroubles() throws IOException {
    for (Backed backed : Backed.values()) {
      for (int i = atLeast(4); i > 0; i--) {
        Troubles troubles = Troubles.random(random().nextLong(), 1 << random().nextInt(3, 8));
        DurableRun.troubles(troubles, backed::open, random().nextLong());
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
}
