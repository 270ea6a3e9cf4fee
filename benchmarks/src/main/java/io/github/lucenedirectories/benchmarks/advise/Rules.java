// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.benchmarks.advise;

import static io.github.lucenedirectories.benchmarks.results.Numbers.range;

import io.github.lucenedirectories.benchmarks.advise.Candidate.Compared;
import io.github.lucenedirectories.benchmarks.advise.Candidate.Verdict;
import io.github.lucenedirectories.benchmarks.results.Advice;
import io.github.lucenedirectories.benchmarks.results.Advice.Unknown;
import io.github.lucenedirectories.benchmarks.results.Interval;
import io.github.lucenedirectories.benchmarks.results.Numbers;
import io.github.lucenedirectories.benchmarks.workload.Memory;
import io.github.lucenedirectories.variants.CachedDirectory;
import io.github.lucenedirectories.variants.Variants;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules by which one of the measured directories is recommended.
 *
 * <p>A directory that is slower than the baseline, has a longer tail, or loses a kind is never
 * recommended. Of those that are faster it is the first of {@link #SIMPLEST_FIRST} that is not
 * surely slower than the fastest. Where none is faster, it is the one that follows the memory if
 * that surely loses little, unless there is memory to spare: then it is the baseline.
 *
 * @param candidates all that was measured but the baseline
 * @param noise the interval of the baseline's rates against themselves
 */
record Rules(Situation situation, List<Candidate> candidates, Interval noise) {
  static final String HYBRID = "HybridDirectory";
  static final String ADVISED = "MMapDirectory-advised";
  static final String MAPPED = "MappedDirectory";
  static final String NIO = "NioDirectory";
  static final String CACHED = "BlockCacheDirectory";
  static final String RAM = "RamDirectory";

  /** From what asks least of its user to what asks most: memory, a bound to find, a load. */
  static final List<String> SIMPLEST_FIRST = List.of(HYBRID, ADVISED, MAPPED, NIO, CACHED, RAM);

  /** What needs memory of its own, and a user who bounds it or loads the index into it. */
  private static final Set<String> HUNGRY = Set.of(CACHED, RAM);

  private static final String BASELINE = Variants.BASELINE;

  /* Forks of each directory: so many have an interval that needs no stretch. */
  static final int FORKS = 6;

  /* Of fewer queries the slowest one alone is the 99th percentile. */
  static final long TAIL_QUERIES = 100;

  /* Half an interval of the baseline against itself beyond which small differences are lost. */
  private static final double NOISY = 0.1;

  /* The kernel's default. */
  private static final long USUAL_READ_AHEAD_KIB = 128;

  /* So many queries without a page of their own: nearly all found theirs in memory. */
  private static final long QUERIES_A_PAGE = 100;
  private static final long PAGE_BYTES = 4096;

  /* Of a kind: ten times those that are picked here. */
  private static final int MORE_QUERIES = 1_000;
  private static final Pattern PLAIN = Pattern.compile("[\\w./-]+");

  /** How an index compares with the memory that the page cache has for it. */
  enum Fit {
    /** It fits twice: it may double. */
    ROOMY,
    /** It fits, and will not if it doubles. */
    TIGHT,
    TOO_LARGE;

    /* Files take this share of the page cache at most, if they are to stay in it. */
    private static final double SHARE = 0.9;

    static Fit of(long indexBytes, long pageCacheBytes) {
      double room = SHARE * pageCacheBytes;
      if (indexBytes > room) {
        return TOO_LARGE;
      }
      return 2 * indexBytes > room ? TIGHT : ROOMY;
    }
  }

  /**
   * What is known of the index, the queries and the run.
   *
   * @param without those of them that found nothing
   * @param given lines of the user's file of queries; 0 if queries were picked
   * @param notRun lines of the user's file that cannot be run
   * @param limited whether memory was limited for the measurement
   * @param heapMegabytes that the user's application has; null if the user named none
   * @param unknownTails kinds of which some JVM ran too few queries
   * @param reads what the baseline's queries read from the device
   */
  record Situation(
      String index,
      String field,
      Inspection inspection,
      int queries,
      int without,
      int given,
      int notRun,
      boolean limited,
      @Nullable Long heapMegabytes,
      int forks,
      List<String> unknownTails,
      DeviceReads reads) {

    Fit fit() {
      return Fit.of(inspection.contents().bytes(), inspection.machine().pageCacheBytes());
    }

    private String leftOut() {
      return Numbers.text(
          "%,d of your %,d queries (%.0f %%)", notRun, given, 100.0 * notRun / given);
    }
  }

  /** What queries had to fetch from the device: page faults, and bytes with what was read ahead. */
  record DeviceReads(long queries, long faults, long bytes) {

    /** Whether nearly all queries found what they needed in memory. */
    private boolean areFew() {
      long pages = queries / QUERIES_A_PAGE;
      return faults <= pages && bytes <= pages * PAGE_BYTES;
    }
  }

  /** What weakens the recommendation. */
  private List<String> cautions() {
    List<String> all = new ArrayList<>();
    caution(
        all,
        situation.forks() < FORKS,
        "The time was enough for %d JVMs of each directory, which makes the intervals wide: give"
            + " more --time.",
        situation.forks());
    caution(
        all,
        !noise.contains(1),
        "%s differs from itself (%s): something else kept the machine busy, so run this again.",
        BASELINE,
        range(noise));
    caution(
        all,
        noise.contains(1) && noise.halfWidth() > NOISY,
        "The interval of %s against itself is wide (%s): smaller differences do not show. Give more"
            + " --time, or a quieter machine.",
        BASELINE,
        range(noise));
    caution(
        all,
        !situation.unknownTails().isEmpty(),
        "Some JVMs ran fewer than %d queries of %s, too few for a p99: these kinds are left out of"
            + " the p99. Give more --time.",
        TAIL_QUERIES,
        String.join(", ", situation.unknownTails()));
    caution(
        all,
        situation.notRun() > 0 && situation.given() > 0,
        "%s could not be run: the recommendation is based on the others alone.",
        situation.leftOut());
    caution(
        all,
        2 * situation.without() >= situation.queries(),
        "%d of %d queries find nothing: the index's text was analysed in another way than these"
            + " queries (StandardAnalyzer), or --field is another; what they measure is little.",
        situation.without(),
        situation.queries());
    boolean tooLarge = situation.fit() == Fit.TOO_LARGE;
    DeviceReads reads = situation.reads();
    caution(
        all,
        tooLarge && reads.areFew(),
        "The index is larger than the page cache, and yet %s had only %,d page faults and %s from"
            + " the device in %,d queries: what these queries need was in memory, so how the"
            + " directories do without was not measured. Give a smaller --limit, or more different"
            + " --queries.",
        BASELINE,
        reads.faults(),
        Numbers.bytes(reads.bytes()),
        reads.queries());
    Long readAheadKiB = situation.inspection().machine().readAheadKiB();
    caution(
        all,
        tooLarge && readAheadKiB != null && readAheadKiB > USUAL_READ_AHEAD_KIB,
        "The device reads ahead %d KiB, where %d is usual: mapped files suffer from that while"
            + " memory is scarce. Measure again with a smaller read_ahead_kb before you draw"
            + " conclusions about them.",
        readAheadKiB,
        USUAL_READ_AHEAD_KIB);
    return all;
  }

  private static void caution(
      List<String> all, boolean applies, String format, @Nullable Object... values) {
    if (applies) {
      all.add(Numbers.text(format, values));
    }
  }

  Advice advice() {
    String chosen = choice();
    long bytes = situation.inspection().contents().bytes();
    long pageCacheBytes = situation.inspection().machine().pageCacheBytes();
    List<String> flags =
        new ArrayList<>(
            List.of("--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"));
    if (situation.heapMegabytes() != null) {
      flags.add("-Xmx" + situation.heapMegabytes() + "m");
    }
    List<String> why = reasons(chosen);
    why.add(
        Numbers.text(
            "The index has %s, and the page cache can hold %s.",
            Numbers.bytes(bytes), Numbers.bytes(pageCacheBytes)));
    return new Advice(
        chosen,
        why,
        code(chosen, bytes, pageCacheBytes),
        artifact(chosen),
        flags,
        cautions(),
        unknowns(chosen));
  }

  /** How a user opens a directory: code to paste. */
  static String code(String directory, long indexBytes, long pageCacheBytes) {
    return switch (directory) {
      case ADVISED ->
          "MMapDirectory directory = new MMapDirectory(path);"
              + " directory.setReadAdvice(MMapDirectory.ADVISE_BY_CONTEXT);";
      case CACHED ->
          Numbers.text(
              "BlockCache cache = BlockCache.builder().maxBytes(%dL << 20).build(); Directory"
                  + " directory = new BlockCacheDirectory(new NioDirectory(path), cache);",
              CachedDirectory.capacityBytes(indexBytes, pageCacheBytes) >> 20);
      case RAM ->
          "Directory directory; try (Directory files = new MappedDirectory(path)) {"
              + " directory = RamDirectory.load(files); }";
      default -> "Directory directory = new " + directory + "(path);";
    };
  }

  /** What that code needs, as Maven names it; null for Lucene's own. */
  private static @Nullable String artifact(String directory) {
    String group = "io.github.lucenedirectories:directory-";
    return switch (directory) {
      case HYBRID, MAPPED -> group + "mmap";
      case NIO -> group + "core";
      case CACHED -> group + "ram";
      case RAM -> group + "ram and " + group + "mmap";
      default -> null;
    };
  }

  private Stream<Candidate> faster() {
    return candidates.stream().filter(c -> c.verdict() == Verdict.FASTER);
  }

  private Optional<Candidate> fastest() {
    return faster().max(Comparator.comparingDouble(c -> c.rate().ratio()));
  }

  private Optional<Candidate> candidate(String directory) {
    return candidates.stream().filter(c -> c.directory().equals(directory)).findFirst();
  }

  String choice() {
    Optional<Candidate> fastest = fastest();
    if (fastest.isPresent()) {
      double least = fastest.get().rate().interval().low();
      return faster()
          .filter(c -> c.rate().interval().high() >= least)
          .map(Candidate::directory)
          .min(Comparator.comparingInt(SIMPLEST_FIRST::indexOf))
          .orElseThrow();
    }
    boolean safe = candidate(HYBRID).filter(c -> c.verdict().isEligible()).isPresent();
    return safe && situation.fit() != Fit.ROOMY ? HYBRID : BASELINE;
  }

  private List<String> reasons(String chosen) {
    Optional<Candidate> fastest = fastest();
    List<String> reasons = new ArrayList<>();
    if (fastest.isPresent()) {
      Candidate candidate = candidate(chosen).orElseThrow();
      Compared high = candidate.high();
      reasons.add(
          isFaster(candidate)
              + "."
              + (high == null ? "" : " Its p99 is " + high + ", both in the mean over kinds."));
      if (!candidate.equals(fastest.get())) {
        reasons.add(
            named(fastest.get())
                + " is not surely faster than that"
                + (HUNGRY.contains(fastest.get().directory())
                    ? ", and needs more of your work and of the memory."
                    : "."));
      }
      return reasons;
    }
    candidates.stream()
        .filter(c -> c.rate().isAbove())
        .forEach(c -> reasons.add(isFaster(c) + ", but " + whyNot(c) + "."));
    if (reasons.isEmpty()) {
      reasons.add("No directory is faster than " + beyondTheNoise() + ".");
    }
    if (chosen.equals(BASELINE)) {
      reasons.add("Take " + BASELINE + ", Lucene's own choice.");
    }
    candidate(HYBRID).map(hybrid -> aboutHybrid(hybrid, chosen)).ifPresent(reasons::add);
    return reasons;
  }

  private @Nullable String aboutHybrid(Candidate hybrid, String chosen) {
    if (chosen.equals(HYBRID)) {
      return named(hybrid)
          + " is the safe choice: it checks the memory every two seconds, and stops the system"
          + " from reading around what is missing once the index does not fit.";
    }
    if (situation.fit() != Fit.ROOMY) {
      return named(hybrid)
          + " would follow the memory, but it is no choice here: "
          + hybrid.verdict().text
          + ".";
    }
    return switch (hybrid.verdict()) {
      case EQUAL ->
          named(hybrid)
              + " shows no difference either, and follows the memory if the index outgrows it.";
      case UNSURE ->
          named(hybrid)
              + " follows the memory if the index outgrows it; whether it is slower until then the"
              + " run cannot tell.";
      default -> null;
    };
  }

  private String isFaster(Candidate candidate) {
    return named(candidate) + " is faster than " + beyondTheNoise();
  }

  private String beyondTheNoise() {
    return BASELINE + " beyond the noise (" + BASELINE + " against itself: " + range(noise) + ")";
  }

  private static String whyNot(Candidate faster) {
    return switch (faster.verdict()) {
      case LOSES_KINDS -> "it loses " + String.join(", ", faster.lostKinds());
      case WORSE_TAIL -> "its p99 is " + faster.high();
      default -> "too little to be worth a change";
    };
  }

  private static String named(Candidate candidate) {
    return Numbers.text(
        "%s, with %s times its queries per second (%s),",
        candidate.directory(),
        Numbers.ratio(candidate.rate().ratio()),
        range(candidate.rate().interval()));
  }

  /** What the measurement could not know, with the commands that would measure it. */
  private List<Unknown> unknowns(String chosen) {
    Contents contents = situation.inspection().contents();
    String index = quoted(situation.index());
    String on = " --index " + index + " --field " + quoted(situation.field());
    List<Unknown> unknown = new ArrayList<>();
    BiConsumer<String, @Nullable String> add =
        (what, command) -> unknown.add(new Unknown(what, command));
    if (situation.given() == 0) {
      add.accept(
          "your queries: those that were run were picked from the index's words",
          "./run advise " + index + " --queries FILE");
      List<String> unasked = new ArrayList<>(List.of("vectors", "points", "doc values"));
      unasked.retainAll(contents.bytesByKind().keySet());
      if (!unasked.isEmpty()) {
        add.accept("queries on what words do not reach: " + String.join(", ", unasked), null);
      }
    } else if (situation.notRun() > 0) {
      add.accept("the queries that were left out, " + situation.leftOut(), null);
    }
    if (situation.fit() == Fit.TOO_LARGE) {
      add.accept(
          Numbers.text(
              "more different queries than these %,d, which need more of the index in memory",
              situation.queries()),
          "./run memory-limit" + on + " --queries " + MORE_QUERIES);
    }
    add.accept(
        "many clients at once, and latencies when requests do not wait for each other",
        "./run load" + on);
    add.accept("updates and reopens, on a text of its own", "./run nrt");
    add.accept("indexing and its merges, on a text of its own", "./run index");
    add.accept("whether commits are what you wait for", "./run commit");
    add.accept(
        "a cold start, before anything of the index is in memory",
        "./run memory-limit" + on + " --cold");
    if (contents.segments() > 1) {
      add.accept(
          "queries while large merges run and memory is scarce",
          "./run memory-limit" + on + " --merge");
    }
    if (!situation.limited()) {
      long megabytes = Memory.usualLimitBytes(contents.bytes()) >> 20;
      add.accept(
          "the index grown, or a container with less memory",
          "./run advise " + index + " --limit " + megabytes + "m");
    }
    if (chosen.equals(RAM)) {
      add.accept(
          "an index that is written to: what was measured is a copy, which later commits do not"
              + " reach and which loses what is written to it; a writer needs a RamDirectory with a"
              + " backing, and memory for what merges write too",
          "./run nrt --directories RamDirectory-backed");
    }
    if (chosen.equals(CACHED)) {
      add.accept(
          "the best size of the cache",
          "./run memory-limit"
              + on
              + " --directories 'BlockCacheDirectory[16KiB,10%],BlockCacheDirectory[16KiB,50%]'");
    }
    add.accept(
        "your application's own heap and other processes, which take memory from the page cache"
            + " (--heap gives the measured JVMs yours)",
        null);
    return unknown;
  }

  /** As a shell takes it for one word. */
  private static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
