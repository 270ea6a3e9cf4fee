// SPDX-License-Identifier: Apache-2.0
package io.github.lucenedirectories.faults;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The sources of a project, and where in them each type, method and field is declared. */
final class Sources {

  /** Lines of a file, counted from 0; the last one is included. */
  record Extent(int first, int last) {}

  /**
   * A place in a file.
   *
   * @param path of the file, below the project's folder
   * @param lines the whole file; the last one is what follows the last line break
   * @param extents of what has the place's name: several, where a method is overloaded
   */
  record Place(String path, List<String> lines, List<Extent> extents) {}

  /** A file, and the extents of what it declares, by name: {@code Type.Nested.method}. */
  private record Source(String path, List<String> lines, Map<String, List<Extent>> declared) {}

  private final Path root;
  private final List<String> paths;
  private final Map<String, Source> parsed = new ConcurrentHashMap<>();

  Sources(Path root) throws IOException {
    this.root = root;
    try (Stream<Path> files = Files.walk(root)) {
      paths =
          files
              .map(file -> root.relativize(file).toString().replace('\\', '/'))
              .filter(path -> path.contains("src/main/java/") && path.endsWith(".java"))
              .filter(path -> !path.startsWith("engines/") && !path.contains("/target/"))
              .toList();
    }
  }

  /**
   * Finds a place by its name.
   *
   * @param at a type, {@code Type.method} (a constructor is {@code Type.Type}), {@code Type.field},
   *     or one of these in a nested type
   */
  Place find(String at) throws IOException {
    String file = at.split("\\.", 2)[0];
    List<String> found =
        paths.stream().filter(each -> each.endsWith("/" + file + ".java")).toList();
    if (found.size() != 1) {
      throw new IOException(found.size() + " files of the name " + file + ": " + found);
    }
    String path = found.get(0);
    Source source = source(path);
    if (at.equals(file)) {
      // With its imports.
      return new Place(path, source.lines, List.of(new Extent(0, source.lines.size() - 1)));
    }
    List<Extent> extents = source.declared.get(at);
    if (extents == null) {
      throw new IOException("there is no " + at + " in " + path);
    }
    return new Place(path, source.lines, extents);
  }

  /** The paths of all files, below the project's folder. */
  List<String> paths() {
    return paths;
  }

  /** The lines of a file. */
  List<String> lines(String path) throws IOException {
    return source(path).lines;
  }

  /** The name of the method that has a line, or of the innermost type. */
  String at(String path, int line) throws IOException {
    return source(path).declared.entrySet().stream()
        .flatMap(each -> each.getValue().stream().map(extent -> Map.entry(each.getKey(), extent)))
        .filter(each -> each.getValue().first() <= line && line <= each.getValue().last())
        .min(Comparator.comparingInt(each -> each.getValue().last() - each.getValue().first()))
        .orElseThrow(() -> new IOException("nothing is declared there: " + path + ":" + line))
        .getKey();
  }

  private Source source(String path) throws IOException {
    Source source = parsed.get(path);
    if (source == null) {
      source = parse(path);
      parsed.put(path, source);
    }
    return source;
  }

  private Source parse(String path) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjects(root.resolve(path)));
      CompilationUnitTree unit = task.parse().iterator().next();
      Map<String, List<Extent>> declared = new HashMap<>();
      SourcePositions positions = Trees.instance(task).getSourcePositions();
      for (Tree type : unit.getTypeDecls()) {
        declare("", "", type, unit, positions, declared);
      }
      String text = unit.getSourceFile().getCharContent(true).toString();
      return new Source(path, List.of(text.split("\n", -1)), declared);
    }
  }

  private static void declare(
      String prefix,
      String owner,
      Tree tree,
      CompilationUnitTree unit,
      SourcePositions positions,
      Map<String, List<Extent>> declared) {
    String name =
        switch (tree) {
          case ClassTree type -> type.getSimpleName().toString();
          case MethodTree method when method.getName().contentEquals("<init>") -> owner;
          case MethodTree method -> method.getName().toString();
          case VariableTree field -> field.getName().toString();
          default -> "";
        };
    if (!name.isEmpty()) {
      int first = line(unit, positions.getStartPosition(unit, tree));
      int last = line(unit, positions.getEndPosition(unit, tree));
      declared.computeIfAbsent(prefix + name, _ -> new ArrayList<>()).add(new Extent(first, last));
    }
    if (tree instanceof ClassTree type) {
      for (Tree member : type.getMembers()) {
        declare(prefix + name + ".", name, member, unit, positions, declared);
      }
    }
  }

  private static int line(CompilationUnitTree unit, long position) {
    return (int) unit.getLineMap().getLineNumber(position) - 1;
  }
}
