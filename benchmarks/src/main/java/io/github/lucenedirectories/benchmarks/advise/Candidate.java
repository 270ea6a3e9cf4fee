package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * A directory that was measured beside the baseline.
 *
 * @param rate queries per second, the geometric mean over kinds
 * @param high p99 of latencies, the geometric mean over the kinds whose tails are known; null if
 *     none is
 * @param kinds queries per second of each kind
 * @param openMillis to open the directory and a reader
 * @param ownMebibytes of memory that no file is behind
 */
record Candidate(
    BenchmarkDirectory directory,
    Comparison rate,
    @Nullable Comparison high,
    Map<String, Comparison> kinds,
    double openMillis,
    OptionalDouble ownMebibytes) {

  /* A smaller gain is not worth a change. */
  private static final double WORTH = 1.03;

  /* Of many kinds one seems a little slower by chance: this much is a loss. */
  private static final double LOSS = 0.9;

  /** What it is, all measures together. */
  enum Verdict {
    FASTER("faster"),
    LITTLE_FASTER("faster, too little to matter"),
    EQUAL("no difference beyond the noise"),
    /** Not surely slower, and yet a loss is not ruled out. */
    UNSURE("perhaps slower, the run cannot tell"),
    SLOWER("slower"),
    WORSE_TAIL("longer tail"),
    LOSES_KINDS("loses some kinds");

    private final String text;

    Verdict(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }

    /** Whether it can be recommended. */
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
}
