package io.github.lucenedirectories.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A fault that the tests should notice. docs/testing.md has the format of the lists.
 *
 * @param area the name of its list
 * @param mode of the JVM, as {@code testkit.mode} spells it
 * @param excuse why the tests need not notice it; null if they must
 * @param files the files to compile, below the project's folder, and how each is changed
 */
record Fault(
    String area,
    String id,
    String what,
    List<String> tests,
    String mode,
    @Nullable Excuse excuse,
    Map<String, List<Edit>> files) {

  private static final String TEXT = "((?:(?!(?:<<<<|====|>>>>)$).*\n)*)";

  /** A title, a line with a value, an edit, a blank line or a comment. */
  private static final Pattern PART =
      Pattern.compile(
          "### (?<id>\\S+) +(?<what>\\S.*)\n"
              + "|(?<key>file|tests|mode|harmless|emulated): *(?<value>\\S.*)\n"
              + ("|<<<<\n(?<before>" + TEXT + ")====\n(?<after>" + TEXT + ")>>>>\n")
              + "|#!.*\n|[ \t]*\n",
          Pattern.MULTILINE);

  /** The options of each mode, as surefire has them in src-test/pom.xml. */
  static final Map<String, List<String>> MODES =
      Map.of(
          "scalar",
          List.of("--enable-native-access=ALL-UNNAMED"),
          "vector",
          List.of("--enable-native-access=ALL-UNNAMED", "--add-modules", "jdk.incubator.vector"),
          "no-native",
          List.of("--illegal-native-access=deny"));

  /** Why tests need not notice a fault. */
  enum Excuse {
    /** No user can notice it. */
    HARMLESS,
    /** Only the emulated machine with persistent memory can show it. */
    EMULATED
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
    List<List<MatchResult>> faults = new ArrayList<>();
    Matcher part = PART.matcher(text);
    for (int at = 0; at < text.length(); at = part.end()) {
      if (!part.find(at) || part.start() != at) {
        throw new IOException(
            area + ".faults: line " + (text.substring(0, at).lines().count() + 1) + " is wrong");
      }
      if (part.group("id") != null) {
        faults.add(new ArrayList<>());
      }
      if (!faults.isEmpty()) {
        faults.getLast().add(part.toMatchResult());
      } else if (part.group("key") != null || part.group("before") != null) {
        throw new IOException(area + ".faults: no title: " + part.group());
      }
    }
    List<Fault> result = new ArrayList<>();
    for (List<MatchResult> parts : faults) {
      result.add(of(area, parts));
    }
    return result;
  }

  private static Fault of(String area, List<MatchResult> parts) throws IOException {
    Map<String, String> values = new HashMap<>(Map.of("mode", "scalar"));
    Map<String, List<Edit>> files = new LinkedHashMap<>();
    String file = "";
    for (MatchResult part : parts) {
      String key = part.group("key");
      String before = part.group("before");
      if (key != null) {
        values.put(key, part.group("value").strip());
      }
      if ("file".equals(key)) {
        file = part.group("value").strip();
        files.putIfAbsent(file, new ArrayList<>());
      } else if (before != null) {
        if (before.isBlank() || !files.containsKey(file)) {
          throw new IOException(area + ": no old text, or no file for it: " + part.group());
        }
        Edit edit = new Edit(withoutEnd(before), withoutEnd(part.group("after")));
        files.computeIfAbsent(file, _ -> new ArrayList<>()).add(edit);
      }
    }
    String id = parts.getFirst().group("id");
    String tests = values.get("tests");
    String mode = values.getOrDefault("mode", "");
    if (tests == null
        || !MODES.containsKey(mode)
        || files.values().stream().allMatch(List::isEmpty)) {
      throw new IOException(area + ": no tests, no such mode, or no change: " + id);
    }
    Excuse excuse =
        values.containsKey("harmless")
            ? Excuse.HARMLESS
            : values.containsKey("emulated") ? Excuse.EMULATED : null;
    String what = parts.getFirst().group("what");
    return new Fault(area, id, what, List.of(tests.split("[ ,]+")), mode, excuse, files);
  }

  private static String withoutEnd(String lines) {
    return lines.isEmpty() ? "" : lines.substring(0, lines.length() - 1);
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
