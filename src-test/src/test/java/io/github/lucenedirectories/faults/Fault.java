// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fault that the tests should notice. docs/testing.md has the format of the lists.
 *
 * @param area the name of its list
 * @param mode of the JVM, as {@code testkit.mode} spells it
 * @param ifPassed what it means that the tests pass
 * @param edits the places that change; one without lines names a file to compile again
 */
record Fault(
    String area,
    String id,
    String what,
    List<String> tests,
    String mode,
    Verdict ifPassed,
    List<Edit> edits) {

  private static final Pattern VALUE =
      Pattern.compile("(###|(?:at|tests|mode|harmless|emulated):) *(\\S.*?) *");

  /** The mode of races, which {@code ./run schedules} runs. */
  static final String SCHEDULES = "schedules";

  /** The mode of {@code CrashStates#FILE-SYSTEM/DIRECTORY}, which {@code ./run crash-test} runs. */
  static final String CRASH_TEST = "crash-test";

  /** The options of each mode, as surefire has them in src-test/pom.xml. */
  static final Map<String, List<String>> MODES =
      Map.of(
          "scalar",
          List.of("--enable-native-access=ALL-UNNAMED"),
          "vector",
          List.of("--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"),
          "no-native",
          List.of("--illegal-native-access=deny"));

  /** What came of a fault. */
  enum Verdict {
    CAUGHT,
    /** It passed, as no user can notice it. */
    HARMLESS,
    /** It passed, as only the emulated machine with persistent memory can show it. */
    EMULATED,
    SURVIVED,
    ERROR;

    boolean good() {
      return this != SURVIVED && this != ERROR;
    }
  }

  /**
   * A change of one place.
   *
   * @param at the name of the place, as {@link Sources#find} has it
   * @param before whole lines, which follow each other once in this place, indented in any way
   * @param after what takes their place
   */
  record Edit(String at, List<String> before, List<String> after) {

    Edit(String at) {
      this(at, new ArrayList<>(), new ArrayList<>());
    }

    /** Adds a line of a diff, which begins with a blank, a minus or a plus. */
    void add(String line) {
      if (line.charAt(0) != '+') {
        before.add(line.substring(1));
      }
      if (line.charAt(0) != '-') {
        after.add(line.substring(1));
      }
    }

    /** The line of the file where the place has the old lines. */
    int find(Sources.Place place) throws IOException {
      int found = -1;
      for (Sources.Extent extent : place.extents()) {
        for (int i = extent.first(); i + before.size() <= extent.last() + 1; i++) {
          if (stripped(place.lines().subList(i, i + before.size())).equals(stripped(before))) {
            if (found >= 0) {
              throw new IOException(at + " has these lines more than once: " + before);
            }
            found = i;
          }
        }
      }
      if (found < 0) {
        throw new IOException(at + " does not have these lines: " + before);
      }
      return found;
    }

    private static List<String> stripped(List<String> lines) {
      return lines.stream().map(String::strip).toList();
    }
  }

  /**
   * All faults of the lists in a project's folder, and those that the rule makes of its sources.
   */
  static List<Fault> ofProject(Path root, Sources sources) throws IOException {
    List<Path> lists;
    try (Stream<Path> files = Files.list(root.resolve("src-test/faults"))) {
      lists = files.filter(file -> file.toString().endsWith(".faults")).sorted().toList();
    }
    List<Fault> faults = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Path list : lists) {
      String area = list.getFileName().toString().replace(".faults", "");
      names.add(area);
      for (Fault fault : parse(area, Files.readString(list))) {
        if (!names.add(fault.id())) {
          throw new IOException("there are two of the name " + fault.id());
        }
        faults.add(fault);
      }
    }
    faults.addAll(Barriers.of(sources));
    return faults;
  }

  /**
   * The faults of one list.
   *
   * @throws IOException if the text is no such list
   */
  static List<Fault> parse(String area, String text) throws IOException {
    List<Fault> faults = new ArrayList<>();
    // What comes before the first title, for faults that do not say otherwise.
    Map<String, String> common = new HashMap<>();
    Map<String, String> values = common;
    List<Edit> edits = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher value = VALUE.matcher(line);
      if (value.matches()) {
        if (value.group(1).equals("###")) {
          if (values != common || !edits.isEmpty()) {
            faults.add(of(area, values, edits));
          }
          values = new HashMap<>(common);
          edits.clear();
        }
        if (value.group(1).equals("at:")) {
          edits.add(new Edit(value.group(2)));
        } else {
          values.put(value.group(1), value.group(2));
        }
      } else if (!edits.isEmpty() && line.matches("[ +-].*")) {
        edits.getLast().add(line);
      } else if (!line.isBlank() && !line.startsWith("#!")) {
        throw new IOException(area + ": a wrong line: " + line);
      }
    }
    faults.add(of(area, values, edits));
    return faults;
  }

  private static Fault of(String area, Map<String, String> values, List<Edit> edits)
      throws IOException {
    String[] title = values.getOrDefault("###", "").split(" +", 2);
    String tests = values.get("tests:");
    String mode = values.getOrDefault("mode:", "scalar");
    if (title.length < 2 || tests == null || !MODES.containsKey(mode)) {
      throw new IOException(area + ": no title, no tests, or no such mode: " + values);
    } else if (tests.matches("(\\w+Races|CrashStates)#.*")) {
      mode = tests.startsWith("CrashStates") ? CRASH_TEST : SCHEDULES;
    }
    if (edits.stream().allMatch(edit -> edit.before.equals(edit.after))
        || edits.stream().anyMatch(edit -> edit.before.isEmpty() && !edit.after.isEmpty())) {
      throw new IOException(area + ": no change, or no old line to find: " + title[0]);
    }
    Verdict ifPassed =
        values.containsKey("harmless:")
            ? Verdict.HARMLESS
            : values.containsKey("emulated:") ? Verdict.EMULATED : Verdict.SURVIVED;
    return new Fault(
        area,
        title[0],
        title[1],
        List.of(tests.split("[ ,]+")),
        mode,
        ifPassed,
        List.copyOf(edits));
  }

  /**
   * The changed sources, by their paths below the project's folder.
   *
   * @throws IOException if there is no such place, or if an edit's lines are not in it exactly once
   */
  Map<String, String> mutate(Sources sources) throws IOException {
    Map<String, List<String>> files = new TreeMap<>();
    Map<String, NavigableMap<Integer, Edit>> byLine = new TreeMap<>();
    for (Edit edit : edits) {
      Sources.Place place = sources.find(edit.at);
      files.put(place.path(), new ArrayList<>(place.lines()));
      NavigableMap<Integer, Edit> ofFile =
          byLine.computeIfAbsent(place.path(), _ -> new TreeMap<>());
      if (!edit.before.isEmpty() && ofFile.put(edit.find(place), edit) != null) {
        throw new IOException(edit.at + " is changed twice in one place");
      }
    }
    Map<String, String> changed = new TreeMap<>();
    files.forEach(
        (path, lines) -> {
          // From the last line to the first, so that the others stay where they are.
          Objects.requireNonNull(byLine.get(path))
              .descendingMap()
              .forEach(
                  (line, edit) -> {
                    List<String> old = lines.subList(line, line + edit.before.size());
                    old.clear();
                    old.addAll(edit.after);
                  });
          changed.put(path, String.join("\n", lines));
        });
    return changed;
  }
}
