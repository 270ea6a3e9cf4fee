package io.github.lucenedirectories.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of this project, for tests about its sources. */
public final class Project {

  private Project() {}

  /** The project's folder: the working directory or a folder above. */
  public static Path root() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isDirectory(at.resolve("src-test/faults"))) {
        return at;
      }
    }
    throw new AssertionError("not run inside the project: " + Path.of("").toAbsolutePath());
  }

  /**
   * The sources of the library's classes, not of the test kit, module descriptors and descriptions
   * excepted.
   */
  public static List<Path> sources() throws IOException {
    Path root = root();
    // From the root, since planted faults leave copies of sources below a target folder.
    String source = "directory-(?!testkit)\\w+/src/main/.*/[A-Z]\\w*\\.java";
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(file -> root.relativize(file).toString().matches(source))
          .sorted()
          .toList();
    }
  }

  /** The name of the class in a file of {@link #sources}. */
  public static String className(Path source) {
    String path = source.toString().replace('/', '.').replaceFirst("\\.java$", "");
    return path.substring(path.indexOf(".src.main.java.") + ".src.main.java.".length());
  }
}
