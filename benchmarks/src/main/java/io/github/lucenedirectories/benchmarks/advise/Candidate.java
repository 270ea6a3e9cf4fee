// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.results.ForkStatistics;
import io.github.lucenedirectories.benchmarks.results.ForkStatistics.Estimate;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.results.Results;
import io.github.lucenedirectories.benchmarks.workload.SearchFigures;
import io.github.lucenedirectories.variants.Variants;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A directory that was measured with the baseline: its queries per second, and its p99 in the
 * geometric mean over the kinds with known tails, null if there are none.
 */
record Candidate(
    String directory, Compared rate, @Nullable Compared high, Map<String, Compared> kinds) {
  private static final String BASELINE = Variants.BASELINE;
  private static final String AGAIN = BASELINE + " (again)";

  /* A smaller gain is not worth a change. */
  private static final double WORTH = 1.03;

  /* Of many kinds one seems a little slower by chance: this much is a loss. */
  private static final double LOSS = 0.9;

  /** A ratio to the baseline, its 95 % interval, and that of the baseline against itself. */
  record Compared(double ratio, Interval interval, Interval noise) {
    static Compared of(Results.Compared found, Results.Compared again) {
      return new Compared(found.ratio(), known(found.interval95()), known(again.interval95()));
    }

    /** Whether it is above 1 beyond what chance and the noise explain. */
    boolean isAbove() {
      return interval.low() > Math.max(1, noise.high());
    }

    /** Whether it is below 1 beyond what chance and the noise explain. */
    boolean isBelow() {
      return interval.high() < Math.min(1, noise.low());
    }

    @Override
    public String toString() {
      return Numbers.ratio(ratio) + " times " + BASELINE + "'s (" + Numbers.range(interval) + ")";
    }
  }

  /** All measures together, in words. */
  enum Verdict {
    FASTER("faster"),
    LITTLE_FASTER("faster, but too little to be worth a change"),
    EQUAL("no difference beyond the noise"),
    UNSURE("the run cannot tell"),
    SLOWER("slower"),
    WORSE_TAIL("longer tail"),
    LOSES_KINDS("loses some kinds");

    final String text;

    Verdict(String text) {
      this.text = text;
    }

    /** Whether a directory can be recommended. */
    boolean isEligible() {
      return this == FASTER || this == LITTLE_FASTER || this == EQUAL;
    }
  }

  Verdict verdict() {
    if (rate.isBelow()) {
      return Verdict.SLOWER;
    }
    if (!lostKinds().isEmpty()) {
      return Verdict.LOSES_KINDS;
    }
    if (high != null && high.isAbove() && high.interval().low() > 1 / LOSS) {
      return Verdict.WORSE_TAIL;
    }
    if (rate.isAbove()) {
      return rate.ratio() >= WORTH ? Verdict.FASTER : Verdict.LITTLE_FASTER;
    }
    return rate.interval().low() > LOSS ? Verdict.EQUAL : Verdict.UNSURE;
  }

  /** Kinds that lose more than a tenth, surely. */
  List<String> lostKinds() {
    return kinds.entrySet().stream()
        .filter(kind -> kind.getValue().isBelow() && kind.getValue().interval().high() < LOSS)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** As {@code NioDirectory: no difference beyond the noise; queries per second 1.01 ...}. */
  @Override
  public String toString() {
    List<String> lost = lostKinds();
    return Numbers.text(
        "%s: %s%s. Its queries per second are %s%s.",
        directory,
        verdict().text,
        lost.isEmpty() ? "" : " (" + String.join(", ", lost) + ")",
        rate,
        high == null ? "" : ", its p99 is " + high);
  }

  /** The interval of the baseline's rates against themselves. */
  static Interval noise(Results results) {
    return known(mean(results, AGAIN).interval95());
  }

  /**
   * All but the baseline and its control; {@code tails} are kinds whose percentiles mean something.
   */
  static List<Candidate> all(
      Results results, List<String> kinds, List<String> tails, int forks, long seed) {
    ForkStatistics statistics = new ForkStatistics(forks, seed);
    List<Candidate> all = new ArrayList<>();
    for (String label : results.directories()) {
      if (!label.equals(BASELINE) && !label.equals(AGAIN)) {
        Map<String, Compared> compared = new LinkedHashMap<>();
        for (String kind : kinds) {
          compared.put(
              kind,
              Compared.of(
                  results.ratio(label, BASELINE, kind).orElseThrow(),
                  results.ratio(AGAIN, BASELINE, kind).orElseThrow()));
        }
        Compared rate = Compared.of(mean(results, label), mean(results, AGAIN));
        all.add(new Candidate(label, rate, high(results, label, tails, statistics), compared));
      }
    }
    return all;
  }

  private static Results.Mean mean(Results results, String label) {
    return results.mean(label, BASELINE).orElseThrow();
  }

  private static @Nullable Compared high(
      Results results, String label, List<String> tails, ForkStatistics statistics) {
    if (tails.isEmpty()) {
      return null;
    }
    Map<String, double[]> baseline = highs(results, BASELINE, tails);
    Estimate high = statistics.ratios(highs(results, label, tails), baseline).mean();
    Estimate again = statistics.ratios(highs(results, AGAIN, tails), baseline).mean();
    return new Compared(high.value(), known(high.interval95()), known(again.interval95()));
  }

  private static Map<String, double[]> highs(Results results, String label, List<String> tails) {
    Map<String, double[]> highs = new LinkedHashMap<>();
    for (String kind : tails) {
      List<Double> samples =
          results.result(label, SearchFigures.high(kind)).orElseThrow().samples();
      highs.put(kind, samples.stream().mapToDouble(Double::doubleValue).toArray());
    }
    return highs;
  }

  private static Interval known(@Nullable Interval interval) {
    return Objects.requireNonNull(interval, "two forks have an interval");
  }
}
