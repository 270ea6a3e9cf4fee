// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import io.github.lucenedirectories.faults.Fault.Edit;
import io.github.lucenedirectories.faults.Fault.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Faults that follow from a rule: each call that makes something durable is left out, and swapped
 * with the step before it and the step after it.
 *
 * <p>A step is a statement of one line. Swaps across the border of a block, and fences that only
 * the memory order of another processor shows, are left out.
 */
final class Barriers {

  static final String AREA = "barriers";

  private static final Pattern BARRIER =
      Pattern.compile(
          " *(\\w+(\\([^()]*\\))?\\.)*"
              + "(sync|syncMetaData|syncFolder|syncNames|moveAndSync|fsync|force|flush)\\(.*\\);");

  /** Not what declares a variable, ends a block, or only checks or tidies up. */
  private static final Pattern STEP =
      Pattern.compile(
          " *(?!ensureOpen\\b|commits\\.sort\\b|deletePending\\b|names\\.forEach\\(FileNames|return\\b|throw\\b|break\\b|continue\\b|[\\w<>., \\[\\]?]+ \\w+ = )\\S.*;");

  private static final Map<String, List<String>> TESTS =
      Map.of(
          "directory-core/", List.of("FileSystemTest", "DirectoryBackingTest"),
          "directory-pmem/",
              List.of(
                  "MetadataLogTest",
                  "PoolFormatTest",
                  "EngineFlushTest",
                  "PmemMetadataTest",
                  "PoolFolderTest",
                  "SimulatorTest"),
          "directory-ram/",
              List.of("DirectoryBackingTest", "BackingHistoryTest", "BackingTest", "NrtCacheTest"),
          "ram/Nrt", List.of("NrtCacheTest", "JournalFolderTest", "JournalFailureTest"),
          "ram/Journal",
              List.of(
                  "JournalFileTest",
                  "JournalFolderTest",
                  "JournalFailureTest",
                  "JournalDamageTest",
                  "JournalWorkloadTest",
                  "JournalCrashTest"));

  private final Sources sources;
  private final List<Fault> faults = new ArrayList<>();

  private Barriers(Sources sources) {
    this.sources = sources;
  }

  /** The faults that the rule makes of a project. */
  static List<Fault> of(Sources sources) throws IOException {
    Barriers barriers = new Barriers(sources);
    for (String path : sources.paths()) {
      Optional<List<String>> tests =
          TESTS.keySet().stream()
              .filter(path::contains)
              .max(
                  (one, other) -> Boolean.compare(one.startsWith("ram/"), other.startsWith("ram/")))
              .map(TESTS::get);
      if (tests.isPresent()) {
        barriers.add(path, tests.get());
      }
    }
    return barriers.faults;
  }

  private void add(String path, List<String> tests) throws IOException {
    List<String> lines = sources.lines(path);
    boolean flushes = path.contains("pmem");
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 1; i < lines.size() - 1; i++) {
      String line = lines.get(i);
      if (!BARRIER.matcher(line).matches() || (line.contains("flush(") && !flushes)) {
        continue;
      }
      String at = sources.at(path, i);
      String name = (AREA + "-" + at + "-" + counts.merge(at, 1, Integer::sum)).replace('.', '-');
      String what = "There is no " + line.strip();
      // The compiler still finds the exceptions that it throws.
      List<String> never = List.of("if (Double.isNaN(0)) " + line.strip());
      add(name, what, tests, edit(at, lines, i, never));
      for (int first : List.of(i - 1, i)) {
        List<String> pair = lines.subList(first, first + 2);
        // Of two barriers the first has made the swap.
        boolean known = first < i && BARRIER.matcher(pair.getFirst()).matches();
        // Bytes and names may become durable in any order.
        known |= pair.stream().allMatch(each -> each.strip().startsWith("in.sync"));
        if (!known
            && isStep(pair.getFirst())
            && isStep(pair.getLast())
            && indent(pair.getFirst()) == indent(pair.getLast())) {
          what = pair.getLast().strip() + " comes before " + pair.getFirst().strip();
          String side = first == i ? "-late" : "-early";
          add(name + side, what, tests, edit(at, lines, first, pair.reversed()));
        }
      }
    }
  }

  private static boolean isStep(String line) {
    return STEP.matcher(line).matches();
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  private void add(String name, String what, List<String> tests, Edit edit) {
    faults.add(new Fault(AREA, name, what, tests, "scalar", Verdict.SURVIVED, List.of(edit)));
  }

  /** A change of lines, with as many before them as tell them from others of the same method. */
  private Edit edit(String at, List<String> lines, int first, List<String> after)
      throws IOException {
    for (int from = first; ; from--) {
      Edit edit = new Edit(at);
      lines.subList(from, first).forEach(line -> edit.add(" " + line));
      lines.subList(first, first + after.size()).forEach(line -> edit.add("-" + line));
      after.forEach(line -> edit.add("+" + line));
      try {
        edit.find(sources.find(at));
        return edit;
      } catch (IOException e) {
        if (first - from > 5) {
          throw e;
        }
      }
    }
  }
}
