package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What weakens a recommendation, as far as the run itself can tell. */
final class Cautions {
  /* Half an interval of the baseline against itself beyond which small differences are lost. */
  private static final double NOISY = 0.1;

  /* The kernel's default. */
  private static final long USUAL_READ_AHEAD_KIB = 128;

  private Cautions() {}

  /**
   * The cautions.
   *
   * @param noise the interval of the baseline's rates against themselves
   * @param readAheadKiB of the device; null if the system does not tell
   */
  static List<String> of(
      int forks, Interval noise, QueryHits hits, Fit fit, @Nullable Long readAheadKiB) {
    List<String> cautions = new ArrayList<>();
    if (forks < Budget.FORKS) {
      cautions.add(
          "The time was enough for "
              + forks
              + " JVMs of each directory, which makes the intervals wide: give more --time.");
    }
    if (!noise.contains(1)) {
      cautions.add(
          "MMapDirectory differs from itself ("
              + Ranges.text(noise)
              + "): something else kept the machine busy, so run this again.");
    } else if (noise.halfWidth() > NOISY) {
      cautions.add(
          "The interval of MMapDirectory against itself is wide ("
              + Ranges.text(noise)
              + "): smaller differences do not show. Give more --time, or a quieter machine.");
    }
    if (hits.mostlyFindNothing()) {
      cautions.add(
          hits.summary()
              + ": the index's text was analysed in another way than these"
              + " queries (StandardAnalyzer), or --field is another; what they measure is little.");
    }
    if (fit == Fit.TOO_LARGE && readAheadKiB != null && readAheadKiB > USUAL_READ_AHEAD_KIB) {
      cautions.add(
          "The device reads ahead "
              + readAheadKiB
              + " KiB, where 128 is usual: mapped files suffer from that while memory is scarce."
              + " Measure again with a smaller read_ahead_kb before you draw conclusions about"
              + " them.");
    }
    return cautions;
  }
}
