package io.github.lucenedirectories.testkit.durability;

import io.github.lucenedirectories.testkit.durability.Troubles.Trouble;
import java.io.IOException;
import java.util.Random;
import org.apache.lucene.store.Directory;
import org.jspecify.annotations.Nullable;

/**
 * Whole runs of commits through a directory that is durable by another, over a disk with troubles.
 *
 * <p>Everything follows from the seed, except for what threads of the directory do at once.
 */
public final class DurableRun {

  /** As many different disks are looked at after each power cut. */
  private static final int OUTCOMES = 3;

  private static final int COMMITS = 4;
  private static final int ROUNDS = 12;

  private DurableRun() {}

  /** Opens the directory under test over its backing. */
  @FunctionalInterface
  public interface Opener {
    Directory open(Directory backing) throws IOException;
  }

  /**
   * Commits, and before each operation of the disk looks at what a power cut would leave. Returns
   * how many operations there were.
   */
  public static int lookAtEachOperation(Opener opener, long seed) throws IOException {
    CommitRun run = new CommitRun(seed);
    CrashingBacking disk = new CrashingBacking();
    Look look = new Look(run, disk, new Random(seed));
    disk.with(look);
    try (Directory directory = opener.open(disk)) {
      run.commit(directory, COMMITS);
    }
    look.end();
    requireSuccess(run, COMMITS);
    return look.asked;
  }

  /** No trouble, but a look at what would be found. */
  private static final class Look implements Troubles {
    private final CommitRun run;
    private final CrashingBacking disk;
    private final Random random;
    private @Nullable AssertionError failure;
    private int asked;

    Look(CommitRun run, CrashingBacking disk, Random random) {
      this.run = run;
      this.disk = disk;
      this.random = random;
    }

    @Override
    public Trouble at(DiskOperation operation, String name, int bytes) {
      asked++;
      // Between two writes nothing of interest happens.
      if (failure == null && (operation != DiskOperation.WRITE || random.nextInt(8) == 0)) {
        long acknowledged = run.acknowledged();
        try {
          run.check(disk.afterPowerCut(random), acknowledged);
        } catch (AssertionError e) {
          failure = new AssertionError("before " + operation + " " + name, e);
        }
      }
      return Trouble.NONE;
    }

    /** Throws what was found; not before, because the directory under test might swallow it. */
    void end() {
      synchronized (disk) {
        if (failure != null) {
          throw failure;
        }
      }
    }
  }

  /**
   * Cuts the power at an operation of the disk, looks at what is found, and goes on with that.
   * Returns how many operations there were.
   *
   * @param number of the operation, counted from 0
   */
  public static int cutPowerAt(int number, Opener opener, long seed) throws IOException {
    Random random = new Random(31 * seed + number);
    CommitRun run = new CommitRun(seed);
    TroubleOnce cut = new TroubleOnce(number, Trouble.POWER_CUT);
    CrashingBacking disk = new CrashingBacking().with(cut);
    try (Directory directory = opener.open(disk)) {
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
    try (Directory directory = opener.open(found)) {
      run.check(directory);
      run.commit(directory, 2);
    }
    requireSuccess(run, goal);
    run.check(found.afterPowerCut(random));
    return cut.asked();
  }

  /**
   * One trouble, at the operation with this number; then all goes well. Returns the run.
   *
   * @param once says for which operations it counts
   */
  public static CommitRun troubleOnce(Troubles once, Opener opener, long seed) throws IOException {
    CrashingBacking disk = new CrashingBacking();
    CommitRun run = new CommitRun(seed);
    Random random = new Random(seed);
    try (Directory directory = opener.open(disk)) {
      disk.with(once);
      run.commit(directory, COMMITS);
      run.check(disk.afterPowerCut(random));
      goOnWithoutTrouble(run, disk, directory, random);
    }
    return run;
  }

  /** Troubles again and again, and a look at what a power cut would leave after each failure. */
  public static void troubles(Troubles troubles, Opener opener, long seed) throws IOException {
    CrashingBacking disk = new CrashingBacking().withDeletionsInAnyOrder();
    CommitRun run = new CommitRun(seed);
    Random random = new Random(seed);
    try (Directory directory = opener.open(disk)) {
      for (int i = 0; i < ROUNDS; i++) {
        disk.with(troubles);
        run.commit(directory, 1 + random.nextInt(COMMITS));
        run.check(disk.afterPowerCut(random));
        run.check(directory);
      }
      goOnWithoutTrouble(run, disk, directory, random);
    }
  }

  private static void goOnWithoutTrouble(
      CommitRun run, CrashingBacking disk, Directory directory, Random random) throws IOException {
    disk.with(Troubles.NONE);
    long goal = CommittedIndex.number(directory) + 2;
    run.commit(directory, 2);
    requireSuccess(run, goal);
    run.check(directory);
    for (int i = 0; i < OUTCOMES; i++) {
      run.check(disk.afterPowerCut(random));
    }
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
