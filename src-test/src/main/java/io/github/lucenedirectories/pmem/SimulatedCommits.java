package io.github.lucenedirectories.pmem;

import io.github.lucenedirectories.testkit.durability.CommitRun;
import java.io.IOException;
import java.util.Random;
import org.apache.lucene.util.IOUtils;
import org.jspecify.annotations.Nullable;

/**
 * Commits of an {@code IndexWriter} to a {@link PmemDirectory} on a {@link SimulatedDevice}, with
 * looks at what a power cut would leave.
 *
 * <p>Each look opens the device anew and requires the last acknowledged commit, or the one that is
 * under way, whole, and a clean index. Power is really cut several times in a run, which goes on
 * with what it finds; soon after an open as often as not.
 */
final class SimulatedCommits {

  private static final long CAPACITY_BYTES = 6L << 20;
  private static final int POWER_CUTS = 6;
  private static final int COMMITS = 5;
  private static final int STEPS_TO_EARLY_CUT = 60;
  private static final int STEPS_TO_LATE_CUT = 2_000;

  /** Between two writes of bytes nothing of interest happens; a look at an index takes long. */
  private static final int STEPS_PER_LOOK = 8;

  private final Random random;
  private final CommitRun run;
  private long looks;

  /** A run that begins with an empty device. Everything in it follows from the seed. */
  SimulatedCommits(long seed) {
    this.random = new Random(seed);
    this.run = new CommitRun(seed);
  }

  /**
   * Runs.
   *
   * @return how many power cuts were looked at
   * @throws AssertionError if one of them left what it must not
   */
  long run() throws IOException {
    SimulatedDevice device = SimulatedRun.emptyDevice(random, CAPACITY_BYTES);
    for (int i = 0; i < POWER_CUTS; i++) {
      device = commitUntilPowerCut(device);
      try (PmemDirectory found = device.open()) {
        run.checkAndGoOn(found);
      }
    }
    return looks;
  }

  private SimulatedDevice commitUntilPowerCut(SimulatedDevice device) throws IOException {
    Life life = new Life(device);
    device.watch(life);
    PmemDirectory directory = null;
    try {
      directory = device.open();
      run.commit(directory, COMMITS);
    } catch (IllegalStateException e) {
      if (!life.ended()) {
        throw e;
      }
    } finally {
      device.watch((step, offset, length) -> {});
      IOUtils.closeWhileHandlingException(directory);
    }
    if (life.failure != null) {
      throw life.failure;
    }
    return life.left == null ? device.afterPowerCut(random) : life.left;
  }

  /** From an open to the next power cut. */
  private final class Life implements SimulatedDevice.Watch {
    private final SimulatedDevice device;
    private int stepsLeft =
        1 + random.nextInt(random.nextBoolean() ? STEPS_TO_EARLY_CUT : STEPS_TO_LATE_CUT);
    private @Nullable SimulatedDevice left;
    private @Nullable AssertionError failure;

    Life(SimulatedDevice device) {
      this.device = device;
    }

    @Override
    public void before(SimulatedDevice.Step step, long offset, long length) {
      if (ended()) {
        throw powerCut();
      }
      if (step != SimulatedDevice.Step.WRITE) {
        if (--stepsLeft == 0) {
          left = device.afterPowerCut(random);
          throw powerCut();
        }
        if (random.nextInt(STEPS_PER_LOOK) == 0) {
          look();
        }
      }
    }

    boolean ended() {
      return left != null || failure != null;
    }

    /** Makes an {@code IndexWriter} give up at once. */
    private static IllegalStateException powerCut() {
      return new IllegalStateException("the power is cut");
    }

    private void look() {
      looks++;
      try (PmemDirectory found = device.afterPowerCut(random).open()) {
        run.check(found);
      } catch (AssertionError e) {
        failure = e;
        throw powerCut();
      } catch (IOException e) {
        failure = new AssertionError("cannot be opened", e);
        throw powerCut();
      }
    }
  }
}
