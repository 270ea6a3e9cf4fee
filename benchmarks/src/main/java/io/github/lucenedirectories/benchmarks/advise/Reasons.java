package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.advise.Candidate.Verdict;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.stats.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Why a directory is recommended, in sentences with the numbers that say so. */
final class Reasons {
  private static final String BASELINE = BenchmarkDirectory.BASELINE.label();

  private final Choice choice;
  private final List<Candidate> candidates;
  private final Interval noise;
  private final long indexBytes;
  private final long pageCacheBytes;

  /**
   * @param noise the interval of the baseline's rates against themselves
   */
  Reasons(
      Choice choice,
      List<Candidate> candidates,
      Interval noise,
      long indexBytes,
      long pageCacheBytes) {
    this.choice = choice;
    this.candidates = List.copyOf(candidates);
    this.noise = noise;
    this.indexBytes = indexBytes;
    this.pageCacheBytes = pageCacheBytes;
  }

  List<String> sentences() {
    List<String> sentences = new ArrayList<>();
    switch (choice.rule()) {
      case FASTEST -> sentences.add(faster());
      case FAST_AND_SIMPLER -> {
        sentences.add(faster());
        Candidate best =
            candidates.stream()
                .filter(c -> c.verdict() == Verdict.FASTER)
                .max(Comparator.comparingDouble(c -> c.rate().ratio()))
                .orElseThrow();
        sentences.add(
            told(best)
                + " is not surely faster than that, and asks more of you and of the memory.");
      }
      case SAFE -> {
        sentences.add(nothingFaster());
        sentences.add(
            told(hybrid().orElseThrow())
                + " is the safe choice: it looks at the memory every two seconds, and no longer"
                + " lets the system read around what is missing once the index does not fit.");
      }
      case KEEP -> {
        sentences.add(nothingFaster() + " Keep what you have.");
        hybrid()
            .filter(c -> c.verdict().isEligible())
            .ifPresent(
                c ->
                    sentences.add(
                        told(c)
                            + " shows no difference either, and follows the memory if the index"
                            + " outgrows it."));
      }
      case KEEP_THOUGH_SCARCE -> {
        sentences.add(nothingFaster() + " Keep what you have.");
        hybrid()
            .ifPresent(
                c ->
                    sentences.add(
                        told(c)
                            + " would follow the memory, but it is no choice here: "
                            + c.verdict().text()
                            + "."));
      }
    }
    sentences.add(
        String.format(
            Locale.ROOT,
            "The index has %s, and the page cache can hold %s.",
            Numbers.bytes(indexBytes),
            Numbers.bytes(pageCacheBytes)));
    return sentences;
  }

  private String faster() {
    Candidate chosen =
        candidates.stream()
            .filter(c -> c.directory() == choice.directory())
            .findFirst()
            .orElseThrow();
    return told(chosen)
        + String.format(
            Locale.ROOT,
            " is faster than %s beyond the noise (%s against itself: %s). Its p99 is %s of %s's"
                + " (%s), both in the mean over kinds.",
            BASELINE,
            BASELINE,
            Ranges.text(noise),
            Numbers.ratio(chosen.high().ratio()),
            BASELINE,
            Ranges.text(chosen.high().interval()));
  }

  private String nothingFaster() {
    return String.format(
        Locale.ROOT,
        "No directory is faster than %s beyond the noise (%s against itself: %s).",
        BASELINE,
        BASELINE,
        Ranges.text(noise));
  }

  private Optional<Candidate> hybrid() {
    return candidates.stream().filter(c -> c.directory() == BenchmarkDirectory.HYBRID).findFirst();
  }

  private static String told(Candidate candidate) {
    return String.format(
        Locale.ROOT,
        "%s, with %s times its queries per second (%s),",
        candidate.directory().label(),
        Numbers.ratio(candidate.rate().ratio()),
        Ranges.text(candidate.rate().interval()));
  }
}
