package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.results.Interval;
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
   * What the time and the machine did to it.
   *
   * @param noise the interval of the baseline's rates against themselves
   * @param unknownTails kinds of which too few queries ran
   */
  static List<String> ofRun(int forks, Interval noise, List<String> unknownTails) {
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
    if (!unknownTails.isEmpty()) {
      cautions.add(
          "Some JVMs ran fewer than "
              + KnownTails.LEAST_QUERIES
              + " queries of "
              + String.join(", ", unknownTails)
              + ", too few to tell a p99: where they did, the kind is left out of the p99. Give more"
              + " --time.");
    }
    return cautions;
  }

  /**
   * What the queries do to it.
   *
   * @param given the user's; null if they were picked
   */
  static List<String> ofQueries(QueryHits hits, @Nullable GivenLines given) {
    List<String> cautions = new ArrayList<>();
    if (given != null && given.notRun() > 0) {
      cautions.add(given.leftOut() + " could not be run: this rests on the others alone.");
    }
    if (hits.mostlyFindNothing()) {
      cautions.add(
          hits.summary()
              + ": the index's text was analysed in another way than these"
              + " queries (StandardAnalyzer), or --field is another; what they measure is little.");
    }
    return cautions;
  }

  /**
   * What the memory does to it, where it is scarce.
   *
   * @param baseline what the baseline's queries read
   * @param readAheadKiB of the device; null if the system does not tell
   */
  static List<String> ofMemory(Fit fit, DeviceReads baseline, @Nullable Long readAheadKiB) {
    if (fit != Fit.TOO_LARGE) {
      return List.of();
    }
    List<String> cautions = new ArrayList<>();
    if (baseline.areFew()) {
      cautions.add(
          "The index is larger than the page cache, and yet MMapDirectory had only "
              + baseline.summary()
              + ": what these queries need was in memory, so how the directories do without was not"
              + " measured. Give a smaller --limit, or more different --queries.");
    }
    if (readAheadKiB != null && readAheadKiB > USUAL_READ_AHEAD_KIB) {
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
