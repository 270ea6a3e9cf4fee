package io.github.lucenedirectories.benchmarks.advise;

import io.github.lucenedirectories.benchmarks.directories.BenchmarkDirectory;
import io.github.lucenedirectories.benchmarks.limit.Memory;
import io.github.lucenedirectories.benchmarks.results.Advice.Unknown;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the measurement could not know, and the command that would measure it. */
final class Unknowns {
  private static final Pattern PLAIN = Pattern.compile("[\\w./-]+");

  /* Of a kind: ten times those that are picked here. */
  private static final int MORE_QUERIES = 1_000;

  private final String index;
  private final String field;
  private final Contents contents;
  private final @Nullable GivenLines given;
  private final boolean limited;

  /**
   * @param index its path
   * @param field the text field
   * @param given the user's queries; null if they were picked
   * @param limited whether the memory was limited for the measurement
   */
  Unknowns(
      String index, String field, Contents contents, @Nullable GivenLines given, boolean limited) {
    this.index = quoted(index);
    this.field = quoted(field);
    this.contents = contents;
    this.given = given;
    this.limited = limited;
  }

  /**
   * Lists it.
   *
   * @param queries how many different ones were run
   */
  List<Unknown> of(BenchmarkDirectory chosen, Fit fit, int queries) {
    String on = " --index " + index + " --field " + field;
    List<Unknown> unknown = new ArrayList<>();
    if (given == null) {
      unknown.add(
          new Unknown(
              "your queries: those that were run were picked from the index's words",
              "./run advise " + index + " --queries FILE"));
      List<String> unasked = unasked();
      if (!unasked.isEmpty()) {
        unknown.add(
            new Unknown("queries on what words do not reach: " + String.join(", ", unasked), null));
      }
    } else if (given.notRun() > 0) {
      unknown.add(new Unknown("the queries that were left out, " + given.leftOut(), null));
    }
    if (fit == Fit.TOO_LARGE) {
      unknown.add(
          new Unknown(
              String.format(
                  Locale.ROOT,
                  "more different queries than these %,d, which need more of the index in memory",
                  queries),
              "./run memory-limit" + on + " --queries " + MORE_QUERIES));
    }
    unknown.add(
        new Unknown(
            "many clients at once, and latencies when requests do not wait for each other",
            "./run load" + on));
    unknown.add(new Unknown("updates and reopens, on a text of its own", "./run nrt"));
    unknown.add(new Unknown("indexing and its merges, on a text of its own", "./run index"));
    unknown.add(new Unknown("whether commits are what you wait for", "./run commit"));
    unknown.add(
        new Unknown(
            "a cold start, before anything of the index is in memory",
            "./run memory-limit" + on + " --cold"));
    if (contents.segments() > 1) {
      unknown.add(
          new Unknown(
              "queries while large merges run and memory is scarce",
              "./run memory-limit" + on + " --merge"));
    }
    if (!limited) {
      unknown.add(
          new Unknown(
              "the index grown, or a container with less memory",
              "./run advise " + index + " --limit " + half()));
    }
    if (chosen == BenchmarkDirectory.RAM) {
      unknown.add(
          new Unknown(
              "an index that is written to: what was measured is a copy, which later commits do not"
                  + " reach and which loses what is written to it; a writer needs a RamDirectory with"
                  + " a backing, and memory for what merges write too",
              "./run nrt --directories RamDirectory-backed"));
    }
    if (chosen == BenchmarkDirectory.BLOCK_CACHE) {
      unknown.add(new Unknown("the best size of the cache", "./run cache-trace" + on));
    }
    unknown.add(
        new Unknown(
            "your application's own heap and other processes, which take memory from the page cache"
                + " (--heap gives the measured JVMs yours)",
            null));
    return unknown;
  }

  private List<String> unasked() {
    List<String> unasked = new ArrayList<>();
    for (FileKind kind : List.of(FileKind.VECTORS, FileKind.POINTS, FileKind.DOC_VALUES)) {
      if (contents.bytesByKind().containsKey(kind.label())) {
        unasked.add(kind.label());
      }
    }
    return unasked;
  }

  /** About half of the index, and not too little for a JVM. */
  private String half() {
    return (Memory.usualLimitBytes(contents.bytes()) >> 20) + "m";
  }

  /** As a shell takes it for one word. */
  private static String quoted(String text) {
    return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
  }
}
