package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.advise.Candidate.Verdict;
import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.report.Numbers;
import io.github.lucenedirectories.benchmarks.results.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Why a directory is recommended, in sentences with the numbers that say so. */
final class Reasons {
  private static final String BASELINE = BenchmarkDirectory.BASELINE.label();

  private static final String TAKE_BASELINE = "Take " + BASELINE + ", Lucene's own choice.";

  /** What needs memory of its own, and a user who bounds it or loads the index into it. */
  private static final Set<BenchmarkDirectory> HUNGRY =
      EnumSet.of(BenchmarkDirectory.BLOCK_CACHE, BenchmarkDirectory.RAM);

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
                + " is not surely faster than that"
                + (HUNGRY.contains(best.directory())
                    ? ", and asks more of you and of the memory."
                    : "."));
      }
      case SAFE -> {
        sentences.addAll(noChoiceIsFaster());
        sentences.add(
            told(hybrid().orElseThrow())
                + " is the safe choice: it looks at the memory every two seconds, and no longer"
                + " lets the system read around what is missing once the index does not fit.");
      }
      case KEEP -> {
        sentences.addAll(noChoiceIsFaster());
        sentences.add(TAKE_BASELINE);
        hybrid().flatMap(Reasons::besideMemoryToSpare).ifPresent(sentences::add);
      }
      case KEEP_THOUGH_SCARCE -> {
        sentences.addAll(noChoiceIsFaster());
        sentences.add(TAKE_BASELINE);
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
    return told(chosen) + isFaster() + "." + tail(chosen);
  }

  private static String tail(Candidate chosen) {
    Comparison high = chosen.high();
    return high == null ? "" : " Its p99 is " + share(high) + ", both in the mean over kinds.";
  }

  private static String share(Comparison high) {
    return String.format(
        Locale.ROOT,
        "%s of %s's (%s)",
        Numbers.ratio(high.ratio()),
        BASELINE,
        Ranges.text(high.interval()));
  }

  private String isFaster() {
    return " is faster than " + beyondTheNoise();
  }

  private String beyondTheNoise() {
    return String.format(
        Locale.ROOT,
        "%s beyond the noise (%s against itself: %s)",
        BASELINE,
        BASELINE,
        Ranges.text(noise));
  }

  /** Each that is faster and yet no choice; if there is none, that. */
  private List<String> noChoiceIsFaster() {
    List<String> faster =
        candidates.stream()
            .filter(c -> c.rate().isAbove())
            .map(c -> told(c) + isFaster() + ", but " + whyNot(c) + ".")
            .toList();
    return faster.isEmpty()
        ? List.of("No directory is faster than " + beyondTheNoise() + ".")
        : faster;
  }

  private static String whyNot(Candidate faster) {
    return switch (faster.verdict()) {
      case LOSES_KINDS -> "loses " + String.join(", ", faster.lostKinds());
      case WORSE_TAIL -> "its p99 is " + share(Objects.requireNonNull(faster.high()));
      case LITTLE_FASTER -> "too little to be worth a change";
      default -> throw new IllegalStateException("a choice, or not faster: " + faster);
    };
  }

  private static Optional<String> besideMemoryToSpare(Candidate hybrid) {
    return switch (hybrid.verdict()) {
      case EQUAL ->
          Optional.of(
              told(hybrid)
                  + " shows no difference either, and follows the memory if the index outgrows"
                  + " it.");
      case UNSURE ->
          Optional.of(
              told(hybrid)
                  + " follows the memory if the index outgrows it; whether it is slower until then"
                  + " the run cannot tell.");
      default -> Optional.empty();
    };
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
