// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.durability.CommitRun;
import java.io.IOException;
import java.util.Random;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Power cuts at every flush, fence and publication of random runs. {@code -Dtestkit.cuts=N} sets
 * how many there are at least.
 */
public class SimulatorTest extends LibraryTestCase {

  private static final int OPERATIONS = 60;

  /** One look at an index takes as long as many at a few files. */
  private static final long CUTS_PER_CUT_OF_INDEX = 50;

  private static long cuts() {
    return Long.getLong("testkit.cuts", 10_000);
  }

  public void testPowerCuts() throws IOException {
    for (long looks = 0; looks < cuts(); ) {
      looks += new SimulatedRun(new Random(random().nextLong())).run(OPERATIONS);
    }
  }

  /**
   * Commits of an {@code IndexWriter}. Each look requires the last acknowledged commit, or the one
   * that is under way, whole, and a clean index. Power is really cut several times in a run, which
   * goes on with what it finds.
   */
  public void testPowerCutsDuringCommits() throws IOException {
    for (long looks = 0; looks < cuts() / CUTS_PER_CUT_OF_INDEX; ) {
      long seed = random().nextLong();
      Random random = new Random(seed);
      CommitRun run = new CommitRun(seed);
      SimulatedDevice device = SimulatedDevice.ofAnySize(random, 6L << 20);
      for (int i = 0; i < 6; i++) {
        Life life = new Life(device, run, random);
        device = life.end();
        looks += life.looks;
        try (PmemDirectory found = device.open()) {
          run.checkAndGoOn(found);
        }
      }
    }
  }

  /** Commits from an open to the next power cut, soon after the open as often as not. */
  private static final class Life {
    private static final int COMMITS = 5;
    private static final int STEPS_PER_LOOK = 8;

    private final SimulatedDevice device;
    private final CommitRun run;
    private final Random random;
    private int stepsLeft;
    private long looks;
    private @Nullable SimulatedDevice left;
    private @Nullable AssertionError failure;

    Life(SimulatedDevice device, CommitRun run, Random random) {
      this.device = device;
      this.run = run;
      this.random = random;
      this.stepsLeft = 1 + random.nextInt(random.nextBoolean() ? 60 : 2_000);
    }

    /** Returns what is found afterwards. */
    SimulatedDevice end() throws IOException {
      device.watch = this::beforeStep;
      PmemDirectory directory = null;
      try {
        directory = device.open();
        run.commit(directory, COMMITS);
      } catch (IllegalStateException e) {
        if (left == null && failure == null) {
          throw e;
        }
      } finally {
        device.watch = _ -> false;
        IOUtils.closeWhileHandlingException(directory);
      }
      if (failure != null) {
        throw failure;
      }
      return left == null ? device.afterPowerCut(random) : left;
    }

    private boolean beforeStep(SimulatedDevice.Step step) {
      boolean alive = left == null && failure == null;
      // Between two writes of bytes nothing of interest happens.
      if (alive && step != SimulatedDevice.Step.WRITE) {
        if (--stepsLeft == 0) {
          left = device.afterPowerCut(random);
        } else if (random.nextInt(STEPS_PER_LOOK) == 0) {
          look();
        }
      }
      if (left != null || failure != null) {
        // Makes an IndexWriter give up at once.
        throw new IllegalStateException("the power is cut");
      }
      return false;
    }

    private void look() {
      looks++;
      try (PmemDirectory found = device.afterPowerCut(random).open()) {
        run.check(found);
      } catch (AssertionError | IOException e) {
        failure = new AssertionError("before step " + stepsLeft, e);
      }
    }
  }
}
