// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A fault that the tests should notice. docs/testing.md has the format of the lists.
 *
 * @param area the name of its list
 * @param mode of the JVM, as {@code testkit.mode} spells it
 * @param ifPassed what it means that the tests pass
 * @param files the files to compile, below the project's folder, and how each is changed
 */
record Fault(
    String area,
    String id,
    String what,
    List<String> tests,
    String mode,
    Verdict ifPassed,
    Map<String, List<Edit>> files) {

  private static final Pattern VALUE =
      Pattern.compile("(###|(?:file|tests|mode|harmless|emulated):) *(\\S.*?) *");

  private static final Set<String> BORDERS = Set.of("<<<<", "====", ">>>>");

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

  /** A text, which occurs once, and what takes its place. */
  record Edit(String before, String after) {}

  /** All faults of the lists in a project's folder. */
  static List<Fault> ofProject(Path root) throws IOException {
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
    return faults;
  }

  /**
   * The faults of one list.
   *
   * @throws IOException if the text is no such list
   */
  static List<Fault> parse(String area, String text) throws IOException {
    List<Fault> faults = new ArrayList<>();
    Map<String, String> values = new HashMap<>();
    Map<String, List<Edit>> files = new LinkedHashMap<>();
    Iterator<String> lines = text.lines().iterator();
    while (lines.hasNext()) {
      String line = lines.next();
      Matcher value = VALUE.matcher(line);
      String file = values.getOrDefault("file:", "");
      if (value.matches()) {
        if (value.group(1).equals("###") && !values.isEmpty()) {
          faults.add(of(area, values, files));
          values.clear();
          files = new LinkedHashMap<>();
        }
        values.put(value.group(1), value.group(2));
        if (value.group(1).equals("file:")) {
          files.putIfAbsent(value.group(2), new ArrayList<>());
        }
      } else if (line.equals("<<<<")) {
        Edit edit = new Edit(until("====", lines), until(">>>>", lines));
        if (edit.before.isBlank() || file.isEmpty()) {
          throw new IOException(area + ": no old text, or no file for it: " + edit);
        }
        files.computeIfAbsent(file, _ -> new ArrayList<>()).add(edit);
      } else if (!line.isBlank() && !line.startsWith("#!")) {
        throw new IOException(area + ": a wrong line: " + line);
      }
    }
    faults.add(of(area, values, files));
    return faults;
  }

  private static String until(String border, Iterator<String> lines) throws IOException {
    List<String> text = new ArrayList<>();
    while (lines.hasNext()) {
      String line = lines.next();
      if (line.equals(border)) {
        return String.join("\n", text);
      } else if (BORDERS.contains(line)) {
        break;
      }
      text.add(line);
    }
    throw new IOException("no " + border + " after: " + text);
  }

  private static Fault of(String area, Map<String, String> values, Map<String, List<Edit>> files)
      throws IOException {
    String[] title = values.getOrDefault("###", "").split(" +", 2);
    String tests = values.get("tests:");
    String mode = values.getOrDefault("mode:", "scalar");
    if (title.length < 2
        || tests == null
        || !MODES.containsKey(mode)
        || files.values().stream().allMatch(List::isEmpty)) {
      throw new IOException(area + ": no title, no tests, no such mode, or no change: " + values);
    }
    Verdict ifPassed =
        values.containsKey("harmless:")
            ? Verdict.HARMLESS
            : values.containsKey("emulated:") ? Verdict.EMULATED : Verdict.SURVIVED;
    return new Fault(
        area, title[0], title[1], List.of(tests.split("[ ,]+")), mode, ifPassed, files);
  }

  /**
   * The changed sources, by their paths below the project's folder.
   *
   * @throws IOException if a file is missing, or a text does not occur exactly once
   */
  Map<String, String> mutate(Path root) throws IOException {
    Map<String, String> sources = new LinkedHashMap<>();
    for (Map.Entry<String, List<Edit>> file : files.entrySet()) {
      String source = Files.readString(root.resolve(file.getKey()));
      for (Edit edit : file.getValue()) {
        int at = source.indexOf(edit.before);
        if (at < 0 || source.indexOf(edit.before, at + 1) >= 0) {
          throw new IOException(
              ("the old text occurs " + (at < 0 ? "nowhere" : "more than once"))
                  + (" in " + file.getKey() + ": " + edit.before.strip().lines().findFirst()));
        }
        source = source.substring(0, at) + edit.after + source.substring(at + edit.before.length());
      }
      sources.put(file.getKey(), source);
    }
    return sources;
  }
}
