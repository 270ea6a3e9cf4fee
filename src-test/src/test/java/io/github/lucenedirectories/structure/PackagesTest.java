// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.structure;

import io.github.lucenedirectories.testkit.LibraryTestCase;
import io.github.lucenedirectories.testkit.Project;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The table of packages in {@code docs/data-path.md} says what is: which module has which package,
 * what the package's own page (or its only class) says of it, and that the packages use each other
 * in one direction. The modules export what the table does not call internal, and the rest to those
 * who use it.
 */
public class PackagesTest extends LibraryTestCase {

  private static final String ROOT = "io.github.lucenedirectories";

  /** A row: layer, module, package and what it holds. */
  private static final Pattern ROW =
      Pattern.compile("\\| (\\d+) \\| `directory-(\\w+)` \\| `\\.\\.([\\w.]*)` \\| (.*) \\|");

  private static final Pattern TYPE =
      Pattern.compile("\\b" + Pattern.quote(ROOT) + "((?:\\.[a-z]\\w*)*)\\.[A-Z]");

  private static final Pattern EXPORTS =
      Pattern.compile("exports " + Pattern.quote(ROOT) + "([\\w.]*)(?: to\\s+([^;]*))?;");

  private static final Pattern CODE = Pattern.compile("(?s)```.*?```|`[^`]+`");

  /** A name with two capitals or more. */
  private static final Pattern CLASS = Pattern.compile("\\b(?:[A-Z][a-z]+){2,}\\b");

  /** Classes that the pages name, and that are not in the library. */
  private static final Set<String> OTHERS =
      Set.of(
          "AlreadyClosedException",
          "FileChannel",
          "MemorySegmentAccessInput",
          "OutputStream",
          "PackagesTest",
          "ReadOnceHint");

  private record Row(int layer, String module, String holds) {}

  /** The table, by package, whose name has no {@link #ROOT}. */
  private final Map<String, Row> rows = new LinkedHashMap<>();

  /** The packages that each package uses. */
  private final Map<String, Set<String>> uses = new TreeMap<>();

  @Override
  public void setUp() throws Exception {
    super.setUp();
    Matcher row = ROW.matcher(Files.readString(Project.root().resolve("docs/data-path.md")));
    while (row.find()) {
      String name = row.group(3).isEmpty() ? "" : "." + row.group(3);
      rows.put(name, new Row(Integer.parseInt(row.group(1)), row.group(2), row.group(4)));
    }
    for (Path source : Project.sources()) {
      String text = Files.readString(source);
      Matcher declared = Pattern.compile("(?m)^package " + ROOT + "(.*);").matcher(text);
      assertTrue(source.toString(), declared.find());
      Set<String> used = uses.computeIfAbsent(declared.group(1), _ -> new TreeSet<>());
      TYPE.matcher(text).results().forEach(type -> used.add(type.group(1)));
    }
    uses.forEach((name, used) -> used.remove(name));
  }

  public void testTableNamesThePackages() {
    assertEquals(uses.keySet(), new TreeSet<>(rows.keySet()));
  }

  public void testNoneUsesAHigherOne() {
    List<String> upward = new ArrayList<>();
    uses.forEach(
        (from, used) -> {
          for (String to : used) {
            if (row(to).layer >= row(from).layer) {
              upward.add(from + " uses " + to);
            }
          }
        });
    assertEquals(List.of(), upward);
  }

  /** What the library reads of the system, the OpenSearch plugin may read, too. */
  public void testPluginMayReadFacts() throws IOException {
    Path resources = Project.root().resolve("engines/opensearch/src/main/plugin");
    String policy = Files.readString(resources.resolve("plugin-security.policy"));
    Set<String> denied = new TreeSet<>();
    for (Path source : Project.sources()) {
      Pattern.compile("\"/proc/[\\w/]+\"")
          .matcher(Files.readString(source))
          .results()
          .map(MatchResult::group)
          .filter(path -> !policy.contains(path))
          .forEach(denied::add);
    }
    assertEquals(Set.of(), denied);
  }

  public void testTableSaysWhatThePackagesSay() throws IOException {
    for (Map.Entry<String, Row> row : rows.entrySet()) {
      Path folder = module(row.getValue().module).resolve(path(row.getKey()));
      Path page = folder.resolve("package-info.java");
      if (!Files.exists(page)) {
        try (Stream<Path> classes = Files.list(folder)) {
          List<Path> only = classes.toList();
          assertEquals("without package-info.java: " + only, 1, only.size());
          page = only.getFirst();
        }
      }
      assertEquals(row.getKey(), row.getValue().holds, firstSentence(Files.readString(page)));
    }
  }

  public void testModulesExportWhatTheTableSays() throws IOException {
    for (String module : new TreeSet<>(rows.values().stream().map(Row::module).toList())) {
      Map<String, Set<String>> exported = new TreeMap<>();
      String descriptor = Files.readString(module(module).resolve("module-info.java"));
      for (Matcher exports = EXPORTS.matcher(descriptor); exports.find(); ) {
        String to = exports.group(2) == null ? "" : exports.group(2);
        exported.put(exports.group(1), Set.of(to.replace(ROOT + ".", "").trim().split(",\\s*")));
      }
      Map<String, Set<String>> expected = new TreeMap<>();
      rows.forEach(
          (name, row) -> {
            Set<String> users = name.startsWith(".internal") ? users(name) : Set.of("");
            if (row.module.equals(module) && !users.isEmpty()) {
              expected.put(name, users);
            }
          });
      assertEquals(module, expected, exported);
    }
  }

  public void testPagesNameClassesThatExist() throws IOException {
    Set<String> known = new TreeSet<>(OTHERS);
    for (Path source : Project.sources()) {
      known.add(source.getFileName().toString().replace(".java", ""));
    }
    for (String page : List.of("docs/data-path.md", "docs/architecture.md")) {
      Set<String> named = new TreeSet<>();
      Matcher code = CODE.matcher(Files.readString(Project.root().resolve(page)));
      while (code.find()) {
        CLASS.matcher(code.group()).results().forEach(name -> named.add(name.group()));
      }
      assertTrue(named.toString(), named.size() > 20);
      named.removeAll(known);
      assertEquals(page + " names what does not exist", Set.of(), named);
    }
  }

  private Row row(String name) {
    return Objects.requireNonNull(rows.get(name), name);
  }

  /** The other modules that use a package. */
  private Set<String> users(String name) {
    return rows.keySet().stream()
        .filter(user -> uses.getOrDefault(user, Set.of()).contains(name))
        .map(user -> row(user).module)
        .filter(module -> !module.equals(row(name).module))
        .collect(Collectors.toSet());
  }

  private static Path module(String name) {
    return Project.root().resolve("directory-" + name + "/src/main/java");
  }

  private static String path(String name) {
    return (ROOT + name).replace('.', '/');
  }

  /** As Markdown, without the full stop. */
  private static String firstSentence(String page) {
    String comment = page.replaceFirst("(?s).*?/\\*\\*(.*?)\\*/.*", "$1");
    return comment
        .replaceAll("\\s*\n \\*\\s*", " ")
        .replaceAll("\\{@link (?:[\\w.]*\\.)?(\\w+)}", "`$1`")
        .replaceAll("\\{@code ([^}]*)}", "`$1`")
        .strip()
        .replaceFirst("(?s)\\.(\\s.*)?$", "");
  }
}
