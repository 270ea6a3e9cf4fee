package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IOFunction;

/**
 * Whole runs of commits through a directory that is durable by another, over a disk with troubles.
 *
 * <p>Everything follows from the seed, except for what threads of the directory do at once.
 */
public final class DurableRun {

  /** As many different disks are looked at after each power cut. */
  private static final int OUTCOMES = 3;

  private static final int COMMITS = 4;

  private DurableRun() {}

  /**
   * Commits, and before each operation of the disk looks at what a power cut would leave. Returns
   * how many operations there were.
   */
  public static int lookAtEachOperation(IOFunction<Directory, Directory> opener, long seed)
      throws IOException {
    CommitRun run = new CommitRun(seed);
    CrashingBacking disk = new CrashingBacking();
    Random random = new Random(seed);
    // Thrown at the end: the directory under test might swallow it.
    AtomicReference<AssertionError> failure = new AtomicReference<>();
    disk.with(
        (operation, name, bytes) -> {
          // Between two writes nothing of interest happens.
          if (failure.get() == null
              && (operation != DiskOperation.WRITE || random.nextInt(8) == 0)) {
            long acknowledged = run.acknowledged();
            try {
              run.check(disk.afterPowerCut(random), acknowledged);
            } catch (AssertionError e) {
              failure.set(new AssertionError("before " + operation + " " + name, e));
            }
          }
          return Trouble.NONE;
        });
    try (Directory directory = opener.apply(disk)) {
      run.commit(directory, COMMITS);
    }
    if (failure.get() != null) {
      throw failure.get();
    }
    requireSuccess(run, COMMITS);
    return disk.log().size();
  }

  /**
   * Cuts the power at an operation of the disk, looks at what is found, and goes on with that.
   *
   * @param number of the operation, counted from 0
   */
  public static void cutPowerAt(int number, IOFunction<Directory, Directory> opener, long seed)
      throws IOException {
    Random random = new Random(31 * seed + number);
    CommitRun run = new CommitRun(seed);
    CrashingBacking disk = new CrashingBacking().with(new TroubleOnce(number, Trouble.POWER_CUT));
    try (Directory directory = opener.apply(disk)) {
      run.commit(directory, COMMITS);
    } catch (IOException e) {
      if (!disk.powerless()) {
        throw e;
      }
    }
    if (!disk.powerless()) {
      requireSuccess(run, COMMITS);
    }
    for (int i = 0; i < OUTCOMES; i++) {
      run.check(disk.afterPowerCut(random));
    }
    CrashingBacking found = disk.afterPowerCut(random);
    run.checkAndGoOn(found);
    long goal = run.acknowledged() + 2;
    try (Directory directory = opener.apply(found)) {
      run.check(directory);
      run.commit(directory, 2);
    }
    requireSuccess(run, goal);
    run.check(found.afterPowerCut(random));
  }

  /**
   * Troubles in some rounds, and a look at what a power cut would leave after each; then all goes
   * well. Returns the run.
   */
  public static CommitRun troubles(
      Troubles troubles, int rounds, IOFunction<Directory, Directory> opener, long seed)
      throws IOException {
    CrashingBacking disk = new CrashingBacking();
    CommitRun run = new CommitRun(seed);
    Random random = new Random(seed);
    try (Directory directory = opener.apply(disk)) {
      disk.with(troubles);
      for (int i = 0; i < rounds; i++) {
        run.commit(directory, 1 + random.nextInt(COMMITS));
        run.check(disk.afterPowerCut(random));
        run.check(directory);
      }
      disk.with(Troubles.NONE);
      long goal = ChangeHistory.number(directory) + 2;
      run.commit(directory, 2);
      requireSuccess(run, goal);
      run.check(directory);
      for (int i = 0; i < OUTCOMES; i++) {
        run.check(disk.afterPowerCut(random));
      }
    }
    return run;
  }

  private static void requireSuccess(CommitRun run, long goal) {
    if (run.acknowledged() != goal) {
      AssertionError e =
          new AssertionError(
              "failed without trouble: acknowledged=" + run.acknowledged() + ", goal=" + goal);
      run.failures().forEach(e::addSuppressed);
      throw e;
    }
  }
}
