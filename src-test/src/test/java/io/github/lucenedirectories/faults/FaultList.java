package io.github.lucenedirectories.faults;

import io.github.lucenedirectories.faults.Fault.Edit;
import io.github.lucenedirectories.faults.Fault.Excuse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads lists of faults; docs/testing.md has their format. */
final class FaultList {

  private static final Set<String> MARKS = Set.of("<<<<", "====", ">>>>");
  private static final Set<String> MODES = Set.of("scalar", "vector", "no-native");

  private final String area;
  private final List<String> lines;
  private int next;

  private FaultList(String area, List<String> lines) {
    this.area = area;
    this.lines = lines;
  }

  /** All faults of the lists in a project's folder. */
  static List<Fault> ofProject(Path root) throws IOException {
    List<Path> lists;
    try (Stream<Path> files = Files.list(root.resolve("src-test/faults"))) {
      lists = files.filter(file -> file.toString().endsWith(".faults")).sorted().toList();
    }
    List<Fault> faults = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (Path list : lists) {
      String area = list.getFileName().toString().replace(".faults", "");
      for (Fault fault : parse(area, Files.readString(list))) {
        if (!ids.add(fault.id()) || area.equals(fault.id())) {
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
    FaultList list = new FaultList(area, text.lines().toList());
    List<Fault> faults = new ArrayList<>();
    list.skipBlank();
    while (list.next < list.lines.size()) {
      faults.add(list.fault());
    }
    return faults;
  }

  private void skipBlank() {
    while (next < lines.size() && (lines.get(next).isBlank() || lines.get(next).startsWith("#!"))) {
      next++;
    }
  }

  private Fault fault() throws IOException {
    String[] title = lines.get(next).split(" +", 3);
    if (title.length < 3 || !title[0].equals("###")) {
      throw wrong("### id sentence");
    }
    next++;
    Map<String, List<Edit>> files = new LinkedHashMap<>();
    List<String> tests = List.of();
    String mode = "scalar";
    Excuse excuse = null;
    String file = null;
    skipBlank();
    while (next < lines.size() && !lines.get(next).startsWith("### ")) {
      String line = lines.get(next);
      String value = line.substring(line.indexOf(':') + 1).strip();
      if (line.equals("<<<<")) {
        edits(files, file).add(edit());
      } else if (value.isEmpty()) {
        throw wrong("a line with a value, or <<<<");
      } else if (line.startsWith("file:")) {
        file = value;
        files.putIfAbsent(file, new ArrayList<>());
      } else if (line.startsWith("tests:")) {
        tests = List.of(value.split("[ ,]+"));
      } else if (line.startsWith("mode:") && MODES.contains(value)) {
        mode = value;
      } else if (line.startsWith("harmless:")) {
        excuse = Excuse.HARMLESS;
      } else if (line.startsWith("emulated:")) {
        excuse = Excuse.EMULATED;
      } else {
        throw wrong("file:, tests:, mode:, harmless:, emulated: or <<<<");
      }
      next++;
      skipBlank();
    }
    if (tests.isEmpty() || files.values().stream().allMatch(List::isEmpty)) {
      throw new IOException(area + ": no tests or no change: " + title[1]);
    }
    return new Fault(area, title[1], title[2], tests, mode, excuse, files);
  }

  private List<Edit> edits(Map<String, List<Edit>> files, @Nullable String file)
      throws IOException {
    List<Edit> edits = file == null ? null : files.get(file);
    if (edits == null) {
      throw wrong("file: before <<<<");
    }
    return edits;
  }

  private Edit edit() throws IOException {
    String before = textUntil("====");
    String after = textUntil(">>>>");
    if (before.isBlank() || before.equals(after)) {
      throw wrong("an old text and another new one before it");
    }
    return new Edit(before, after);
  }

  private String textUntil(String mark) throws IOException {
    int from = ++next;
    while (!lines.get(next).equals(mark)) {
      next++;
      if (next == lines.size()
          || (MARKS.contains(lines.get(next)) && !lines.get(next).equals(mark))) {
        next = from - 1;
        throw wrong("a " + mark + " after it");
      }
    }
    return String.join("\n", lines.subList(from, next));
  }

  private IOException wrong(String expected) {
    return new IOException(
        area + ".faults: line " + (next + 1) + " should be " + expected + ": " + lines.get(next));
  }
}
